import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import {
  assign,
  builtIn,
  newTenant,
  platformAdmin,
  register,
  systemRoleId,
  type Caller,
} from '../../../../test/factories.ts'
import { parts, service } from '../../../../test/harness.ts'

const lines = (text: string) => text.trimEnd().split('\n')

describe('the export of the audit log', () => {
  test('holds every record of the tenant and no other one, oldest first, as the query shows them', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    await tenant.admin.put('/settings/tenant/color', { value: 'red' })
    await other.admin.put('/settings/tenant/color', { value: 'blue' })
    const listed = (await tenant.admin.get('/audit/logs?page_size=200')).data.items as unknown[]
    const answer = await tenant.admin.get('/audit/export')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="audit-${tenant.id}.ndjson"`)
    expect(lines(answer.text).map((line): unknown => JSON.parse(line))).toEqual(listed.toReversed())
  })

  test('takes the filters of the query, and a time: from a moment on, and before another', async () => {
    const { admin } = await newTenant()
    await admin.put('/settings/tenant/a', { value: 1 })
    const [first] = (await admin.get('/audit/logs')).data.items as { created_at: string }[]
    await admin.put('/settings/tenant/b', { value: 2 })
    await admin.delete('/settings/tenant/b')
    const exported = async (query: string) =>
      lines((await admin.get(`/audit/export?${query}`)).text).map(
        (line) => JSON.parse(line).resource_id as string,
      )
    expect(await exported('resource=setting')).toEqual(['a', 'b', 'b'])
    expect(await exported('action=setting.delete')).toEqual(['b'])
    expect(await exported(`resource=setting&from=${first?.created_at}`)).toContain('a')
    expect((await admin.get(`/audit/export?resource=setting&to=${first?.created_at}`)).text).toBe('')
    expect((await admin.get('/audit/export?user_id=9007199254740991')).text).toBe('')
  })

  test('is CSV on demand, in which a stranger’s words are no formula', async () => {
    const { id, admin } = await newTenant()
    await admin.put(
      '/settings/tenant/a',
      { value: 'x,"y"\nz' },
      { headers: { 'user-agent': '=HYPERLINK("x")' } },
    )
    const { text, headers } = await admin.get('/audit/export?format=csv&resource=setting')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    const [head, row] = text.split('\r\n')
    expect(head).toBe(
      'id,tenant_id,user_id,action,resource,resource_id,detail,ip,user_agent,trace_id,created_at,actor_name,actor_kind',
    )
    expect(row).toContain(`,${id},${admin.userId},setting.create,setting,a,`)
    expect(row).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", "''-1"])(
    'gives a CSV cell an apostrophe in front where a spreadsheet would take it for a formula: %j',
    async (userAgent) => {
      const { id, admin } = await newTenant()
      const scope = parts.store.scoped({ tenantId: id })
      await admin.put('/settings/tenant/a', { value: 1 })
      await scope.run(sql`
        insert into audit_logs (tenant_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
        values (${id}, 'cell.create', 'cell', '1', '{}', '', ${userAgent}, '', now())`)
      const { text } = await admin.get('/audit/export?format=csv&resource=cell')
      expect(text.split('\r\n')[1]).toContain(`,'${userAgent},`)
    },
  )

  test.each(['format=xml', 'from=yesterday', 'to=2026-13-01T00:00:00Z', 'user_id=x'])(
    'is 400 in the envelope for %s',
    async (query) => {
      const { admin } = await newTenant()
      expect(await admin.get(`/audit/export?${query}`)).toMatchObject({ status: 400, body: { code: 40001 } })
    },
  )

  test.each(['ndjson', 'csv', 'sealed'])(
    'answers 200 only when its first records are read: %s',
    async (format) => {
      const tenant = await newTenant()
      const clerk = await tenant.userWith('audit:read')
      expect((await clerk.get('/ping')).status).toBe(200)
      // This write notifies no replica, so the caller stays cached, and only the export's first read sees the change.
      await parts.store
        .scoped({ tenantId: tenant.id })
        .run(sql`update users set status = 0 where tenant_id = ${tenant.id} and id = ${clerk.userId}`)
      expect(await clerk.get(`/audit/export?format=${format}`)).toMatchObject({
        status: 401,
        body: { data: null },
      })
    },
  )

  test('reads more records than one batch, each once', async () => {
    const { id, admin } = await newTenant()
    await fill(id, 2500)
    const { text } = await admin.get('/audit/export?resource=bulk')
    const numbers = lines(text).map((line) => Number(JSON.parse(line).resource_id))
    expect(numbers).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1))
  })

  test('breaks off when its caller loses the permission, or stops being platform administrator', async () => {
    const tenant = await newTenant()
    await fill(tenant.id, 60_000)
    const root = await platformAdmin()
    const clerk = await tenant.userWith('audit:read')
    const [role] = (await root.get(`/rbac/users/${clerk.userId}/roles`, { tenant: tenant.id })).data
    const second = await register()
    const platformRole = systemRoleId('platform-admin')
    await assign(builtIn.id, second.userId, platformRole)
    const started = await Promise.all([clerk, second].map((caller) => startExport(caller, tenant.id)))
    const taken = [
      await root.delete(`/rbac/users/${clerk.userId}/roles/${role.id}`, { tenant: tenant.id }),
      await root.delete(`/rbac/users/${second.userId}/roles/${platformRole}`, { tenant: builtIn.id }),
    ]
    expect(taken.map(({ status }) => status)).toEqual([200, 200])
    for (const readOn of started) await expect(readOn()).rejects.toThrow('terminated')
  })
})

/** Reads the first piece of an export; the returned function reads the rest. */
const startExport = async ({ token }: Caller, tenantId: string) => {
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId }
  const { body, status } = await fetch(`${service.url}/api/v1/audit/export`, { headers })
  expect(status).toBe(200)
  const reader = body?.getReader()
  await reader?.read()
  return async () => {
    while (!(await reader?.read())?.done);
  }
}

const fill = (tenantId: string, records: number) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into audit_logs (tenant_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    select ${tenantId}::uuid, 'bulk.create', 'bulk', n::text, '{}', '', 'a browser with a long name of itself', '', now()
    from generate_series(1, ${records}::int) n
    returning id`)
