/** Recorded requests of providers, and directories at their limits. */
import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newDirectory, scim } from '../../../../test/directories.ts'
import { newUser, unique } from '../../../../test/factories.ts'
import { analyze, call, parts, service, startApp } from '../../../../test/harness.ts'

interface Step {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  status: number
  answer?: object
  /** The name under which later steps use the new resource. */
  keep?: string
}

test.each(['entra-id', 'okta'])('the requests of %s are answered as it expects', async (provider) => {
  const text = readFileSync(new URL(`../../../../test/directories/${provider}.json`, import.meta.url), 'utf8')
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

/** The longest time in which the service's thread computes without a pause. Excludes waits for other programs. */
const longestMs = async (work: () => Promise<unknown>): Promise<number> => {
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let [longest, last, isOver] = [0, spentMs(), false]
  const look = () => {
    longest = Math.max(longest, spentMs() - last)
    last = spentMs()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return longest
}

const listOf = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join()

const emailsIn = (op: string, path: string) => (count: number) =>
  listOf(
    count,
    () =>
      `{"op":"${op}","path":"${path}","value":[${listOf(20, (at) => `{"value":"${'ü'.repeat(250)}${at}"}`)}]}`,
  )

const costly = [
  ['250,000 unknown names', 'POST', '/Users', `{${listOf(250_000, (at) => `"u${at}":1`)}}`],
  ['9,000 unknown names', 'POST', '/Users', `{${listOf(9000, (at) => `"unknown${at}":1`)}}`],
  ['900 paths as names', 'POST', '/Users', `{${listOf(900, (at) => `"emails[${'('.repeat(1900)}${at}":1`)}}`],
  ['a name of 9,000 parts', 'POST', '/Users', `{"name":{${listOf(9000, (at) => `"unknown${at}":1`)}}}`],
  ['a text of 4 MiB', 'POST', '/Users', `{"name":{"formatted":"${'x'.repeat(4_000_000)}"}}`],
  ['105,001 values', 'POST', '/Groups', `{"x":[${'1,'.repeat(105_000)}1]}`],
  ['100,000 unknown names', 'POST', '/Groups', `{${listOf(100_000, (at) => `"unknown${at}":1`)}}`],
  [
    '20,001 members',
    'POST',
    '/Groups',
    `{"displayName":"x","members":[${listOf(20_001, (at) => `"${at}"`)}]}`,
  ],
  [
    '100,000 fields of an operation',
    'PATCH',
    '/Groups/GROUP',
    `{"Operations":[{${listOf(100_000, (at) => `"x${at}":1`)}}]}`,
  ],
  [
    '100 operations on long e-mails',
    'PATCH',
    '/Users/USER',
    `{"Operations":[${emailsIn('add', 'emails')(100)}]}`,
  ],
] as const

test('a costly body is refused before it holds up others', async () => {
  const at = await newDirectory()
  const [user, { body: group }] = [await at.push(), await at.send('POST', '/Groups', { displayName: 'x' })]
  const headers = { authorization: `Bearer ${at.key.token}`, 'content-type': 'application/scim+json' }
  for (const [title, method, path, text] of costly) {
    const url = `${service.url}/scim/v2${path.replace('USER', user.id).replace('GROUP', group.id)}`
    let status = 0
    const ms = await longestMs(async () => ({ status } = await fetch(url, { method, headers, body: text })))
    // A quiet machine takes a tenth of this time.
    expect([title, status, ms < 500]).toEqual([title, 400, true])
  }
})

test('a list shows attributes among thousands of others', async () => {
  const at = await newDirectory()
  const ids = await Promise.all(Array.from({ length: 3 }, async () => (await at.push()).id))
  await at.send('POST', '/Groups', { displayName: 'x', members: ids })
  const names = listOf(700, (one) => `x${one}`)
  const { body } = await at.send('GET', `/Groups?attributes=${names},members.value`)
  const members: { value: string }[] = body.Resources[0].members
  expect(members.map(({ value }) => value).toSorted()).toEqual(ids.toSorted())
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
  // A database in use has statistics of a table that has grown.
  await analyze('scim_users')
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
