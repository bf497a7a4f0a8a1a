/** Requests as providers send them, kept as files; and directories at their limits. */
import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newDirectory, scim } from '../../../test/directories.ts'
import { newUser, unique } from '../../../test/factories.ts'
import { call, parts, startApp } from '../../../test/harness.ts'

interface Step {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  status: number
  answer?: object
  /** The name of the new resource in later steps. */
  keep?: string
}

test.each(['entra-id', 'okta'])('the requests of %s are answered as it expects', async (provider) => {
  const text = readFileSync(new URL(`../../../test/directories/${provider}.json`, import.meta.url), 'utf8')
  const at = await newDirectory()
  const names = new Map([['DOMAIN', at.domain]])
  const filled = (value: unknown) =>
    JSON.parse(
      [...names].reduce(
        (json, [name, id]) => json.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), id),
        JSON.stringify(value),
      ),
    ) as Step
  for (const raw of JSON.parse(text) as Step[]) {
    const { method, path, body, status, answer = {} } = filled(raw)
    const got = await at.send(method, encodeURI(path), body)
    expect([path, got.status, got.body ?? {}]).toMatchObject([path, status, answer])
    if (raw.keep !== undefined) names.set(raw.keep, got.body.id)
  }
})

test('a key has 50 requests a second, then 429 until the next one', async () => {
  const at = await startApp({ rateLimit: true })
  try {
    const { key } = await newDirectory()
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => call('GET', '//scim/v2/Schemas', { at, token: key.token })),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(10)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect(refused[0]?.body).toMatchObject({ status: '429' })
  } finally {
    await at.app.close()
  }
})

test('a body has up to 4 MiB, and another type is 415', async () => {
  const at = await newDirectory()
  const large = { displayName: 'x', unknown: 'x'.repeat(3 * 1_048_576) }
  expect((await at.send('POST', '/Groups', large)).status).toBe(201)
  const larger = { ...large, unknown: 'x'.repeat(4 * 1_048_576) }
  expect(await at.send('POST', '/Groups', larger)).toMatchObject({ status: 413, body: { status: '413' } })
})

test('a user whom the directory shuts out is out at another replica as well', async () => {
  const at = await newDirectory()
  const other = await startApp()
  try {
    const user = await newUser(at.tenant.id)
    const email = `${user.username}@${at.domain}`
    await parts.store.scoped({}).run(sql`
      update accounts set email = ${email}, email_folded = ${email} where email_folded = ${user.email}`)
    const { id } = await at.push({ userName: email })
    expect((await call('GET', '/profile', { at: other, token: user.token })).status).toBe(200)
    await at.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect((await call('GET', '/profile', { at: other, token: user.token })).status).toBe(401)
    expect(
      (await call('POST', '/auth/refresh', { at: other, body: { refresh_token: user.refreshToken } })).status,
    ).toBe(401)
  } finally {
    await other.app.close()
  }
})

test('a group takes thousands of members in one request', async () => {
  const at = await newDirectory()
  const { tenant, connectionId } = at
  const rows = await parts.store.transaction({ tenantId: tenant.id }, async (db) =>
    db.many<{ id: string }>(sql`
      insert into scim_users (tenant_id, id, connection_id, user_name, user_name_folded, email, email_folded, active,
        created_at, updated_at)
      select ${tenant.id}::uuid, gen_random_uuid(), ${connectionId}::uuid, 'n' || n, 'n' || n, 'n' || n, 'n' || n, true, now(),
        now()
      from generate_series(1, 20001) n
      returning id`),
  )
  const members = rows.map(({ id: value }) => ({ value }))
  const group = { displayName: unique(), members: members.slice(1) }
  const { status, body } = await at.send('POST', '/Groups', group)
  expect([status, body.detail, body.members?.length]).toEqual([201, undefined, 20_000])
  const full = await at.patch(`/Groups/${body.id}`, {
    op: 'add',
    path: 'members',
    value: members.slice(0, 1),
  })
  expect(full).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
  expect((await at.patch(`/Groups/${body.id}`, { op: 'remove', path: 'members' })).status).toBe(204)
  expect((await scim(at.key.token, 'GET', `/Groups/${body.id}`)).body).not.toHaveProperty('members')
})
