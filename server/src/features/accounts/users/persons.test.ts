/** The person behind a user: docs/contract.md, "Users and accounts". */
import { expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { builtIn, keyWith, newTenant, nobodysId, ok, platformAdmin } from '../../../../test/factories.ts'
import { insertMember } from '../../../../test/people.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('a person has one name in all their tenants, and no other person has it', async () => {
  const [root, home, away] = [await platformAdmin(), await newTenant(), await newTenant()]
  const user = await home.member()
  const awayId = await insertMember(user, away)
  const personAt = async (id: number, tenant: string) =>
    ok(await root.get(`/users/${id}?include=person`, { tenant })).person as string
  const person = await personAt(user.userId, home.id)
  expect(person).toMatch(uuid)
  expect(await personAt(awayId, away.id)).toBe(person)
  expect(await personAt(home.admin.userId, home.id)).not.toBe(person)
})

test('the list and a user show persons only on demand, with their other extras or without', async () => {
  const [root, { id: tenant, admin }] = [await platformAdmin(), await newTenant()]
  const read = async (path: string) => ok(await root.get(path, { tenant }))
  const details = await read(`/users/${admin.userId}?include=person,security`)
  expect(details.security.factors).toEqual([])
  const plain = await read(`/users/${admin.userId}`)
  expect(plain).not.toHaveProperty('person')
  expect(await read(`/users/${admin.userId}?include=person`)).toEqual({ ...plain, person: details.person })
  for (const extras of ['person', 'created_at,person', 'person,roles', 'created_at,person,roles']) {
    const [listed] = (await read(`/users?include=${extras}`)).items as object[]
    expect(listed).toMatchObject({ id: admin.userId, person: details.person })
    expect(
      Object.keys(listed ?? {})
        .filter((key) => extras.includes(key))
        .toSorted(),
    ).toEqual(extras.split(','))
  }
  expect((await read('/users?include=roles')).items[0]).not.toHaveProperty('person')
  expect(await root.get('/users?include=roles,person', { tenant })).toMatchObject(refusalOf('include'))
})

test('persons need tenant:enter besides user:read, whatever the id', async () => {
  const { id: tenant, admin } = await newTenant()
  const paths = [admin.userId, nobodysId].map((id) => `/users/${id}?include=person`)
  for (const path of [...paths, '/users?include=person', '/users?include=created_at,person,roles']) {
    expect(await admin.get(path)).toMatchObject(refusal('permissionMissing'))
  }
  const enters = await keyWith(builtIn.id, ['tenant:enter'])
  expect(await enters.get('/users?include=person', { tenant })).toMatchObject(refusal('permissionMissing'))
  const reads = await keyWith(builtIn.id, ['tenant:enter', 'user:read'])
  expect((await reads.get('/users?include=person', { tenant })).status).toBe(200)
  expect(await reads.get(paths[1] ?? '', { tenant })).toMatchObject(refusal('userUnknown'))
})
