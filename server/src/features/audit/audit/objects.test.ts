/** Audit records name the resources that they concern, and a query by resource finds them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postLogin } from '../../../../test/accounts.ts'
import {
  clearCatalogue,
  newTenant,
  ok,
  password,
  permissionIds,
  platformAdmin,
  unique,
  type AuditRecord,
  type Caller,
} from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { startMailServer, type MailServer } from '../../../../../lab/mail-server.ts'
import { joinTenant, newPerson } from '../../../../test/people.ts'
import { addTotp, beginTotp } from '../../../../test/second-factors.ts'

let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
})
afterAll(async () => {
  await server.stop()
  await clearCatalogue()
})

interface Named {
  action: string
  change: () => Promise<{ status: number }>
  names: Record<string, string>
}

/** Makes changes one after the other, and expects the names in the newest record of each. */
const expectNames = async (reader: Caller, changes: Named[]): Promise<void> => {
  for (const { action, change, names } of changes) {
    expect([action, (await change()).status]).toEqual([action, 200])
    const [record] = ok(await reader.get('/audit/logs?page_size=1')).items as AuditRecord[]
    const shown = Object.keys(names).map((field) => [
      field,
      record?.detail[field]?.to ?? record?.detail[field]?.from,
    ])
    expect([record?.action, Object.fromEntries(shown)]).toEqual([action, names])
  }
}

describe('the names of resources in a record', () => {
  test('a record has the names that users, roles and notifications had at that time', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    const role = await tenant.role()
    const { id: noticeId } = ok(await admin.post('/notifications', { user_id: user.userId, title: 'Hello' }))
    const [username, path] = [user.username, `/users/${user.userId}`]
    const held = `/rbac/users/${user.userId}/roles`
    const permissions = { permission_ids: permissionIds('user:read') }
    await expectNames(admin, [
      { action: 'user.update', change: () => admin.put(path, { nickname: 'x' }), names: { username } },
      { action: 'user.export', change: () => admin.get(`${path}/export`), names: { username } },
      { action: 'user.sessions_end', change: () => admin.delete(`${path}/sessions`), names: { username } },
      {
        action: 'role.assign',
        change: () => admin.post(held, { role_id: role.id }),
        names: { username, role: role.name },
      },
      {
        action: 'role.unassign',
        change: () => admin.delete(`${held}/${role.id}`),
        names: { username, role: role.name },
      },
      {
        action: 'role.update',
        change: () => admin.put(`/rbac/roles/${role.id}`, { description: 'x' }),
        names: { name: role.name },
      },
      {
        action: 'role.replace_permissions',
        change: () => admin.put(`/rbac/roles/${role.id}/permissions`, permissions),
        names: { name: role.name },
      },
      {
        action: 'notification.create',
        change: () => admin.post('/notifications', { user_id: user.userId, title: 'Notice' }),
        names: { username, title: 'Notice' },
      },
      {
        action: 'notification.delete',
        change: () => admin.delete(`/notifications/${noticeId}`),
        names: { username, title: 'Hello' },
      },
      {
        action: 'setting.create',
        change: () => admin.put('/settings/tenant/color', { value: 'red' }),
        names: { key: 'color' },
      },
      {
        action: 'setting.delete',
        change: () => admin.delete('/settings/tenant/color'),
        names: { key: 'color' },
      },
      { action: 'user.delete', change: () => admin.delete(path), names: { username } },
    ])
  })

  test('a record has the names that service accounts, keys and invitations had at that time', async () => {
    const { admin } = await newTenant()
    const { id } = ok(await admin.post('/service-accounts', { name: 'Backend' }))
    const email = `${unique('i')}@example.com`
    const invited = ok(await admin.post('/invitations', { email }))
    const path = `/service-accounts/${id}`
    const { id: keyId } = ok(await admin.post(`${path}/keys`, { name: 'First' }))
    await expectNames(admin, [
      {
        action: 'service_account.update',
        change: () => admin.put(path, { description: 'x' }),
        names: { name: 'Backend' },
      },
      {
        action: 'service_account_key.create',
        change: () => admin.post(`${path}/keys`, { name: 'Second' }),
        names: { account: 'Backend', name: 'Second' },
      },
      {
        action: 'service_account_key.delete',
        change: () => admin.delete(`${path}/keys/${keyId}`),
        names: { account: 'Backend', name: 'First' },
      },
      { action: 'service_account.delete', change: () => admin.delete(path), names: { name: 'Backend' } },
      {
        action: 'invitation.resend',
        change: () => admin.post(`/invitations/${invited.id}/resend`),
        names: { email },
      },
      {
        action: 'invitation.revoke',
        change: () => admin.delete(`/invitations/${invited.id}`),
        names: { email },
      },
    ])
  })

  test('a record has the names that tenants, templates and permissions of the product had at that time', async () => {
    const root = await platformAdmin()
    const { id, slug } = await newTenant()
    const code = `${unique('p')}:go`
    const { id: permissionId } = ok(await root.post('/rbac/permissions', { code, name: 'Go' }))
    const name = unique('template')
    const { id: templateId } = ok(await root.post('/rbac/role-templates', { name }))
    await expectNames(root, [
      {
        action: 'permission.update',
        change: () => root.put(`/rbac/permissions/${permissionId}`, { description: 'x' }),
        names: { code },
      },
      {
        action: 'role_template.update',
        change: () => root.put(`/rbac/role-templates/${templateId}`, { description: 'x' }),
        names: { name },
      },
      {
        action: 'tenant.update',
        change: () => root.put(`/org/tenants/${id}`, { status: 0 }),
        names: { name: `Tenant ${slug}` },
      },
    ])
  })

  test('a record of an act on the own account has the names of the person', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    const { username, email } = user
    const path = '/auth/sessions'
    const wrong = () => user.post('/password', { old_password: 'wrong password', new_password: password })
    const asOk = async (answer: Promise<{ status: number }>, status: number) => ({
      status: (await answer).status === status ? 200 : 0,
    })
    await expectNames(admin, [
      { action: 'auth.login', change: () => postLogin(email), names: { username } },
      {
        action: 'auth.login_failed',
        change: () => asOk(postLogin(email, 'wrong password'), 401),
        names: { username },
      },
      { action: 'auth.password_failed', change: () => asOk(wrong(), 401), names: { username } },
      {
        action: 'auth.password_forgot',
        change: () => call('POST', '/auth/password/forgot', { body: { email } }),
        names: { username },
      },
      {
        action: 'auth.email_verification',
        change: () => user.post('/auth/email/verification'),
        names: { username },
      },
      {
        action: 'auth.email_request',
        change: () => user.post('/auth/email', { email: `new-${email}`, password }),
        names: { username },
      },
      { action: 'auth.other_sessions_end', change: () => user.delete(path), names: { username } },
      { action: 'factor.begin', change: () => beginTotp(user, 'Phone'), names: { username, name: 'Phone' } },
      {
        action: 'factor.add',
        change: async () => ({ status: (await addTotp(user, 'Tablet')) ? 200 : 0 }),
        names: { username, name: 'Tablet' },
      },
      { action: 'auth.logout', change: () => user.post('/auth/logout'), names: { username } },
      {
        action: 'factor.reset',
        change: () => admin.delete(`/users/${user.userId}/factors`),
        names: { username },
      },
    ])
  })

  test('records of a switch, a leaving and a deletion have the names of the person in that tenant', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const there = await joinTenant(server, person, away)
    const nameOf = async (admin: Caller, id: number) => ok(await admin.get(`/users/${id}`)).username as string
    const [username, other] = [
      await nameOf(home.admin, person.userId),
      await nameOf(away.admin, there.userId),
    ]
    const { token } = person
    await expectNames(away.admin, [
      {
        action: 'auth.switch',
        change: () => call('POST', '/auth/switch', { token, body: { tenant_id: away.id } }),
        names: { username: other },
      },
      {
        action: 'auth.leave',
        change: () => call('DELETE', `/auth/memberships/${away.id}`, { token }),
        names: { username: other },
      },
    ])
    await expectNames(home.admin, [
      {
        action: 'account.export',
        change: () => call('POST', '/auth/account/export', { token, body: { password } }),
        names: { username },
      },
      {
        action: 'auth.account_delete',
        change: () => call('POST', '/auth/account/delete', { token, body: { password } }),
        names: { username },
      },
    ])
  })
})

describe('the records of one thing', () => {
  const actions = async (who: Caller, query: string) => {
    const { items, total } = ok(await who.get(`/audit/logs?${query}`))
    return [total, ...(items as AuditRecord[]).map(({ action }) => action)]
  }

  test('are found by resource and resource_id, also with further filters and in an export', async () => {
    const { admin } = await newTenant()
    const { id } = ok(await admin.post('/rbac/roles', { name: 'Editors' }))
    const other = ok(await admin.post('/rbac/roles', { name: 'Others' }))
    ok(await admin.put(`/rbac/roles/${id}`, { description: 'x' }))
    ok(await admin.put(`/settings/tenant/${id}`, { value: 1 }))
    const about = `resource=role&resource_id=${id}`
    expect(await actions(admin, about)).toEqual([2, 'role.update', 'role.create'])
    expect(await actions(admin, `${about}&page=2&page_size=1`)).toEqual([2, 'role.create'])
    expect(await actions(admin, `${about}&action=role.create`)).toEqual([1, 'role.create'])
    expect(await actions(admin, `action=role.create&resource_id=${other.id}`)).toEqual([1, 'role.create'])
    expect(await actions(admin, `${about}&user_id=${admin.userId}&from=2000-01-01T00:00:00Z`)).toEqual([
      2,
      'role.update',
      'role.create',
    ])
    expect(await actions(admin, `${about}&action=setting.create`)).toEqual([0])
    expect(await actions(admin, `resource=setting&resource_id=${id}`)).toEqual([1, 'setting.create'])
    expect(await actions(admin, 'resource=role&resource_id=nothing')).toEqual([0])
    const { text } = await admin.get(`/audit/export?${about}`)
    expect(text.trim().split('\n')).toHaveLength(2)
  })

  test('the records of a user include the roles assigned and removed, also after the role is deleted', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const [user, other] = [await tenant.member(), await tenant.member()]
    const role = await tenant.role()
    for (const { userId } of [user, other]) {
      ok(await admin.post(`/rbac/users/${userId}/roles`, { role_id: role.id }))
    }
    ok(await admin.delete(`/rbac/users/${user.userId}/roles/${role.id}`))
    ok(await admin.put(`/users/${user.userId}`, { nickname: 'x' }))
    ok(await admin.delete(`/rbac/roles/${role.id}`))
    const about = `about_user_id=${user.userId}`
    const all = ['user.update', 'role.unassign', 'role.assign', 'user.create']
    expect(await actions(admin, about)).toEqual([4, ...all])
    expect(await actions(admin, `${about}&page=2&page_size=3`)).toEqual([4, 'user.create'])
    expect(await actions(admin, `${about}&resource=role&user_id=${admin.userId}`)).toEqual([
      2,
      'role.unassign',
      'role.assign',
    ])
    expect(await actions(admin, `about_user_id=${other.userId}`)).toEqual([2, 'role.assign', 'user.create'])
    expect(await actions((await newTenant()).admin, about)).toEqual([0])
    const { text } = await admin.get(`/audit/export?${about}`)
    expect(text.trim().split('\n')).toHaveLength(4)
  })

  test.each([
    'resource_id=7',
    'about_user_id=0',
    'about_user_id=x',
    `resource=role&resource_id=${'x'.repeat(129)}`,
  ])('are refused with 400 for %s', async (query) => {
    const { admin } = await newTenant()
    expect((await admin.get(`/audit/logs?${query}`)).status).toBe(400)
    expect((await admin.get(`/audit/export?${query}`)).status).toBe(400)
  })
})
