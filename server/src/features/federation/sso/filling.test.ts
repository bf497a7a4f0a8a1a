/** Attributes of users that the claims of a connection fill. */
import { expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, type Answer } from '../../../../test/harness.ts'
import { insertSetup } from '../../../../test/setup-rows.ts'
import {
  attemptsOf,
  newConnection,
  personAt,
  signInBySso,
  type Person,
  type TestConnection,
} from '../../../../test/sso.ts'

const open = { self: 'write', administrators: 'write' }

/** Signs in, and returns the user's id, token and attributes. */
const enter = async (tenant: Tenant, connection: TestConnection, person: Person) => {
  const { access_token: token } = await signInBySso(connection, person)
  const { id } = ok(await call('GET', '/profile', { token })) as { id: number }
  return { id, token, values: ok(await tenant.admin.get(`/users/${id}/attributes`)) }
}

test('each sign-in fills attributes from claims, with what their schemas take', async () => {
  const tenant = await newTenant()
  const department = await declareAttribute({ ...open, sensitive: true })
  const level = await declareAttribute({ ...open, schema: { type: 'integer', maximum: 9 } })
  const teams = await declareAttribute({
    administrators: 'write',
    schema: { type: 'array', items: { type: 'string' } },
  })
  const attributes = [
    { claim: 'department', key: department },
    { claim: 'level', key: level },
    { claim: 'teams', key: teams },
  ]
  const connection = await newConnection(tenant, { attributes })
  expect(ok(await tenant.admin.get(`/connections/${connection.id}`)).attributes).toEqual(attributes)
  const claims = { department: 'quiet', level: '7', teams: ['a', 'b'] }
  const person = personAt(connection, claims)
  const { id, values } = await enter(tenant, connection, person)
  expect(values).toEqual({ [department]: 'quiet', [level]: 7, [teams]: ['a', 'b'] })
  const records = await auditRecords(tenant.id, 'user', id)
  expect(records.find(({ action }) => action === 'user.update')?.detail).toMatchObject({
    [`attribute.${level}`]: { from: null, to: 7 },
    attributes_withheld: { from: null, to: [department] },
    source: { from: null, to: 'jit' },
  })
  const attempts = JSON.stringify(await attemptsOf(tenant, connection))
  expect(JSON.stringify(records) + attempts).not.toContain('quiet')
  for (const [next, left] of [
    // A missing or refused claim leaves its value.
    [
      { level: 10, teams: 'c' },
      { [level]: 7, [teams]: ['c'] },
    ],
    [
      { level: [3], teams: ['\u0000'], department: 'x'.repeat(5000) },
      { [level]: 3, [teams]: ['c'] },
    ],
  ] as const) {
    const { email, sub } = person
    const { values: after } = await enter(tenant, connection, { email, sub, ...next })
    expect(after).toEqual({ [department]: 'quiet', ...left })
  }
})

test('nobody else writes what a connection fills, until its mapping or link is gone', async () => {
  const [tenant, root] = [await newTenant(), await platformAdmin()]
  const key = await declareAttribute(open)
  const connection = await newConnection(tenant, { attributes: [{ claim: 'plan', key }] })
  const change = (fields: object) => tenant.admin.put(`/connections/${connection.id}`, fields)
  const { id, token } = await enter(tenant, connection, personAt(connection, { plan: 'gold' }))
  const path = `/users/${id}/attributes`
  const isFilled = async () => {
    const answers = [
      await tenant.admin.patch(path, { [key]: 'x' }),
      await root.patch(path, { [key]: 'x' }, { tenant: tenant.id }),
      await call('PATCH', '/profile/attributes', { token, body: { [key]: 'x' } }),
    ]
    const all = answers.map(({ body }) => body.code === refusal('attributeFilled').body.code)
    return new Set(all).size === 1 && all[0]
  }
  expect(await isFilled()).toBe(true)
  ok(await change({ attributes: [] }))
  expect(await isFilled()).toBe(false)
  ok(await change({ attributes: [{ claim: 'plan', key }] }))
  expect(await isFilled()).toBe(true)
  // A change of other fields keeps the mapping.
  ok(await change({ name: 'Another' }))
  expect(ok(await tenant.admin.get(`/connections/${connection.id}`)).attributes).toHaveLength(1)
  ok(await tenant.admin.delete(`/users/${id}/sso`))
  expect((await tenant.admin.patch(path, { [key]: 'by hand' })).status).toBe(200)
})

test('claims do not count with a directory', async () => {
  const tenant = await newTenant()
  const [key, account] = [await declareAttribute(open), await keyWith(tenant.id, ['scim:provision'])]
  const connection = await newConnection(tenant, { attributes: [{ claim: 'plan', key }] })
  const person = personAt(connection, { plan: 'gold' })
  const { id } = await enter(tenant, connection, person)
  ok(await tenant.admin.put(`/connections/${connection.id}`, { scim_account_id: account.userId }))
  const { values } = await enter(tenant, connection, { ...person, plan: 'silver' })
  expect(values).toEqual({ [key]: 'gold' })
  expect((await tenant.admin.patch(`/users/${id}/attributes`, { [key]: 'by hand' })).status).toBe(200)
})

test('a tenant’s provider never fills what its administrators may not write', async () => {
  const [tenant, root] = [await newTenant(), await platformAdmin()]
  const [hidden, shown] = [await declareAttribute(), await declareAttribute({ administrators: 'read' })]
  const ofTenant = await declareAttribute({ subject: 'tenant', administrators: 'write' })
  const key = await declareAttribute(open)
  const connection = await newConnection(tenant, { attributes: [{ claim: 'plan', key }] })
  const map = (keys: string[], claim = 'plan') =>
    tenant.admin.put(`/connections/${connection.id}`, {
      attributes: keys.map((one) => ({ claim, key: one })),
    })
  const [unknown, ...refused] = await Promise.all([['nobody'], [hidden], [ofTenant]].map((keys) => map(keys)))
  expect(unknown).toMatchObject(refusalOf('attributes.0.key'))
  // No oracle: what one may not read is as if it were not declared.
  for (const { body } of refused) {
    expect(body.message).toBe(unknown?.body.message)
  }
  expect(await map([key, shown])).toMatchObject(refusalOf('attributes.1.key'))
  expect(await map([key, key])).toMatchObject(refusalOf('attributes.1.key'))
  expect((await map([key], '')).status).toBe(400)
  expect((await map(Array.from({ length: 21 }, () => key))).status).toBe(400)
  const clerk = await tenant.userWith('sso:read', 'sso:manage')
  expect((await clerk.put(`/connections/${connection.id}`, { attributes: [] })).status).toBe(403)
  // The declaration changes after the mapping.
  ok(await root.put(`/attributes/user/${key}`, { schema: { type: 'string' }, administrators: 'read' }))
  const { id, values } = await enter(tenant, connection, personAt(connection, { plan: 'gold' }))
  expect(values).toEqual({})
  ok(await root.patch(`/users/${id}/attributes`, { [key]: 'free' }, { tenant: tenant.id }))
})

test('a connection shows only mappings whose attributes the caller may read, and a change keeps the others', async () => {
  const [tenant, root] = [await newTenant(), await platformAdmin()]
  const [shown, fixed, hidden] = [
    await declareAttribute(open),
    await declareAttribute(open),
    await declareAttribute(open),
  ]
  const attributes = [shown, hidden, fixed].map((key) => ({ claim: 'plan', key }))
  const { id } = await newConnection(tenant, { attributes })
  const path = `/connections/${id}`
  const declare = (key: string, administrators: string) =>
    root.put(`/attributes/user/${key}`, { schema: { type: 'string' }, administrators })
  ok(await declare(hidden, 'none'))
  ok(await declare(fixed, 'read'))
  const { guestToken: token } = await insertSetup(tenant, id)
  const mapped = async (answer: Promise<Answer>) =>
    ok(await answer).attributes.map((one: { key: string }) => one.key) as string[]
  const clerk = await tenant.userWith('sso:read')
  expect(await mapped(clerk.get(path))).toEqual([shown, fixed])
  expect(ok(await clerk.get('/connections'))[0].attributes).toHaveLength(2)
  expect(await mapped(call('GET', path, { token }))).toEqual([])
  const forRoot = () => mapped(root.get(path, { tenant: tenant.id }))
  expect(await forRoot()).toEqual([shown, hidden, fixed])
  const { status: _status, ...read } = ok(await tenant.admin.get(path))
  expect(await mapped(tenant.admin.put(path, { ...read, name: 'Another' }))).toEqual([shown, fixed])
  expect(await forRoot()).toEqual([shown, hidden, fixed])
  expect(await mapped(tenant.admin.put(path, { attributes: [] }))).toEqual([])
  expect(await forRoot()).toEqual([hidden])
  const [record] = await auditRecords(tenant.id, 'connection', id)
  expect(record?.detail['attributes']).toMatchObject({ to: [] })
  expect(JSON.stringify(record)).not.toContain(hidden)
  // As if it were not declared.
  expect(await tenant.admin.put(path, { attributes: [{ claim: 'any', key: hidden }] })).toMatchObject(
    refusalOf('attributes.0.key'),
  )
})
