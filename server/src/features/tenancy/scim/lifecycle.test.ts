/** The directory of a connection: its beginning, its end, and the permissions that it needs over users. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { newDirectory, scim, type TestDirectory } from '../../../../test/directories.ts'
import { accept, inviteShown } from '../../../../test/people.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  newUser,
  ok,
  signIn,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import { call, clock, parts } from '../../../../test/harness.ts'

const setDirectory = ({ tenant, connectionId }: TestDirectory, account: number | null) =>
  tenant.admin.put(`/connections/${connectionId}`, { scim_account_id: account })

/** A user of the tenant in the domain of the directory. */
const newColleague = async ({ tenant, domain }: TestDirectory, tenantId = tenant.id): Promise<Caller> => {
  const user = await newUser(tenantId)
  const email = `${user.username}@${domain}`
  await parts.store.scoped({}).run(sql`
    update accounts set email = ${email}, email_folded = ${email}, proved_email = ${email}, has_own_password = true
    where email_folded = ${user.email}`)
  return { ...user, email }
}

const userIdOf = async ({ tenant }: TestDirectory, email: string): Promise<number> =>
  ok(await tenant.admin.get(`/users?search=${encodeURIComponent(email)}`)).items[0].id

const roleIdsOf = async ({ tenant }: TestDirectory, userId: number): Promise<number[]> =>
  ok(await tenant.admin.get(`/rbac/users/${userId}/roles`)).map(({ id }: { id: number }) => id)

const shutOut = (at: TestDirectory, id: string) =>
  at.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })

const makeExempt = ({ tenantId, userId }: Caller) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into sso_exemptions (tenant_id, user_id, account_id, created_at)
    select tenant_id, id, account_id, now() from users where tenant_id = ${tenantId} and id = ${userId}`)

/** A group with one member, and a role that it gives. */
const mapped = async (at: TestDirectory) => {
  const role = await at.tenant.role('user:read')
  const ada = await at.push()
  const { body } = await at.send('POST', '/Groups', { displayName: unique(), members: [{ value: ada.id }] })
  const mappings = [{ group: body.id as string, role_id: role.id }]
  ok(await at.tenant.admin.put(`/connections/${at.connectionId}`, { group_mappings: mappings }))
  return { role, ada, group: body.id as string, userId: await userIdOf(at, ada.userName) }
}

describe('a directory', () => {
  test('is a service account of the tenant, and the only one', async () => {
    const [at, other] = [await newDirectory(), await newDirectory()]
    const refused = refusalOf('scim_account_id')
    expect(await setDirectory(at, other.key.userId)).toMatchObject(refused)
    expect(await setDirectory(at, at.tenant.admin.userId)).toMatchObject(refused)
    const second = { name: 'x', type: 'saml', metadata: 'x', scim_account_id: at.key.userId }
    expect((await at.tenant.admin.post('/connections', second)).status).toBe(400)
    await parts.store.scoped({ tenantId: at.tenant.id }).run(sql`
      insert into connections (tenant_id, id, type, name, config, created_at, updated_at)
      select tenant_id, gen_random_uuid(), type, name, config, now(), now() from connections
      where tenant_id = ${at.tenant.id}`)
    const connections: { id: string }[] = ok(await at.tenant.admin.get('/connections'))
    const another = connections.find(({ id }) => id !== at.connectionId)
    const answer = await at.tenant.admin.put(`/connections/${another?.id}`, {
      scim_account_id: at.key.userId,
    })
    expect(answer).toMatchObject(refused)
    expect(answer.body.message).toContain('another connection of this tenant has the directory')
    expect((await at.send('GET', '/Users')).status).toBe(200)
  })

  test('its connection shows why its last refused change was refused, without the name of a person', async () => {
    const at = await newDirectory()
    const path = `/connections/${at.connectionId}`
    const errorOf = async () => {
      const { directory_error: text, directory_error_at: time } = ok(
        await at.tenant.admin.get(`${path}?include=directory`),
      )
      return { text, time }
    }
    expect(await errorOf()).toEqual({ text: '', time: '' })
    expect((await at.send('GET', '/Users/unknown')).status).toBe(404)
    expect(await errorOf()).toEqual({ text: '', time: '' })
    expect((await at.send('POST', '/Users', { userName: 'ada@elsewhere.example' })).status).toBe(400)
    const first = await errorOf()
    expect(first).toEqual({
      text: 'The domain elsewhere.example is not verified for this connection',
      time: expect.stringMatching(/Z$/),
    })
    expect((await at.send('DELETE', '/Users/unknown')).status).toBe(404)
    expect(await errorOf()).toEqual(first)
    clock.advance(10_001)
    expect((await at.send('DELETE', '/Users/ada@example.com')).status).toBe(404)
    expect((await errorOf()).text).toBe('No resource has this id: it is a UUID')
    clock.advance(10_001)
    const { status, body } = await at.send('POST', '/Users', [])
    expect(status).toBe(400)
    expect((await errorOf()).text).toBe(body.detail)
    expect(Object.keys(ok(await at.tenant.admin.get(path)))).not.toContain('directory_error')
    ok(await setDirectory(at, null))
    expect(await errorOf()).toEqual({ text: '', time: '' })
  })

  test('the end of a directory deletes its resources and roles, and leaves its disabled users disabled', async () => {
    const at = await newDirectory()
    const { userId, role } = await mapped(at)
    expect(await roleIdsOf(at, userId)).toContain(role.id)
    const directoryOf = async () =>
      ok(await at.tenant.admin.get(`/users/${userId}?include=security`)).security.directory
    expect(await directoryOf()).toMatchObject({ id: at.connectionId, pushed_at: expect.stringMatching(/Z$/) })
    const user = await newColleague(at)
    const { id } = await at.push({ userName: user.email })
    expect((await shutOut(at, id)).status).toBe(200)
    expect(ok(await setDirectory(at, null))).toMatchObject({ scim_account_id: null })
    expect(await directoryOf()).toBeNull()
    expect((await at.send('GET', '/Users')).status).toBe(403)
    expect(await roleIdsOf(at, userId)).not.toContain(role.id)
    const [record] = await auditRecords(at.tenant.id, 'connection', at.connectionId)
    expect(record?.detail).toMatchObject({ scim_account_id: { from: at.key.userId, to: null } })
    const path = `/users/${user.userId}`
    expect(ok(await at.tenant.admin.get(path)).status).toBe(0)
    expect(ok(await at.tenant.admin.put(path, { status: 1 })).status).toBe(1)
    expect(ok(await setDirectory(at, at.key.userId))).toMatchObject({ scim_account_id: at.key.userId })
    expect((await at.send('GET', '/Users')).body).toMatchObject({ totalResults: 0 })
  })

  test('a directory ends when it is replaced, or its connection is deleted', async () => {
    const at = await newDirectory()
    const { userId, role, ada } = await mapped(at)
    const next = await keyWith(at.tenant.id, ['scim:provision'])
    ok(await setDirectory(at, next.userId))
    expect((await at.send('GET', '/Users')).status).toBe(403)
    expect((await scim(next.token, 'GET', `/Users/${ada.id}`)).status).toBe(404)
    expect(await roleIdsOf(at, userId)).not.toContain(role.id)
    await scim(next.token, 'POST', '/Users', { userName: ada.userName, active: false })
    ok(await at.tenant.admin.delete(`/connections/${at.connectionId}`))
    expect((await scim(next.token, 'GET', '/Users')).status).toBe(403)
    expect(ok(await at.tenant.admin.put(`/users/${userId}`, { status: 1 })).status).toBe(1)
  })

  test('gives and takes roles at once when the mapping changes', async () => {
    const at = await newDirectory()
    const { userId, role, group } = await mapped(at)
    const next = await at.tenant.role('role:read')
    const map = (mappings: object[]) =>
      at.tenant.admin.put(`/connections/${at.connectionId}`, { group_mappings: mappings })
    ok(await map([{ group, role_id: next.id }]))
    expect(await roleIdsOf(at, userId)).toEqual(expect.arrayContaining([next.id]))
    expect(await roleIdsOf(at, userId)).not.toContain(role.id)
    const { displayName } = (await at.send('GET', `/Groups/${group}`)).body
    ok(await map([{ group: displayName, role_id: role.id }]))
    expect(await roleIdsOf(at, userId)).not.toContain(role.id)
  })
})

test('a mapped role is taken by no hand, and its user and its role can be deleted', async () => {
  const at = await newDirectory()
  const { admin } = at.tenant
  const { userId, role } = await mapped(at)
  const path = `/rbac/users/${userId}/roles`
  expect(await admin.delete(`${path}/${role.id}`)).toMatchObject(refusal('roleMapped'))
  expect(await admin.post(path, { role_id: role.id })).toMatchObject(refusal('roleAlreadyHeld'))
  expect(await roleIdsOf(at, userId)).toContain(role.id)
  const { items } = ok(await admin.get(`/rbac/roles/${role.id}/users`))
  expect(items).toHaveLength(1)
  const other = await mapped(at)
  ok(await admin.delete(`/rbac/roles/${role.id}`))
  expect(await roleIdsOf(at, userId)).not.toContain(role.id)
  ok(await admin.delete(`/users/${other.userId}`))
  expect((await at.send('GET', `/Users/${other.ada.id}`)).status).toBe(404)
})

test('the account of a directory stands above everybody who holds less than its tenant', async () => {
  const at = await newDirectory()
  const { tenant, key } = at
  const clerk = await tenant.userWith(
    'scim:provision',
    'role:assign',
    'role:read',
    'service_account:create',
    'service_account:update',
    'service_account:delete',
    'sso:manage',
  )
  const role = await tenant.role('scim:provision')
  const account = `/service-accounts/${key.userId}`
  const outranked = refusal('targetOutranksCaller')
  expect(await clerk.post(`${account}/keys`, { name: 'x' })).toMatchObject(outranked)
  expect(await clerk.delete(`${account}/keys/${key.keyId}`)).toMatchObject(outranked)
  expect(await clerk.put(account, { status: 0 })).toMatchObject(outranked)
  expect(await clerk.delete(account)).toMatchObject(outranked)
  expect(await clerk.post(`/rbac/users/${key.userId}/roles`, { role_id: role.id })).toMatchObject(outranked)
  expect(await clerk.delete(`/rbac/users/${key.userId}/roles/${role.id}`)).toMatchObject(outranked)
  expect(await setDirectoryBy(clerk, at, null)).toMatchObject(outranked)
  // The clerk's other service account cannot push.
  const { id } = ok(await clerk.post('/service-accounts', { name: unique() }))
  ok(await clerk.post(`/rbac/users/${id}/roles`, { role_id: role.id }))
  const { secret } = ok(await clerk.post(`/service-accounts/${id}/keys`, { name: 'x' }))
  const push = { userName: `${unique()}@${at.domain}` }
  expect((await scim(secret, 'POST', '/Users', push)).status).toBe(403)
  expect(await setDirectoryBy(clerk, at, id)).toMatchObject(outranked)
  // The administrator has the permission, but must first change the connection.
  expect(await tenant.admin.delete(account)).toMatchObject(refusal('directoryAccount'))
  ok(await tenant.admin.post(`/rbac/users/${key.userId}/roles`, { role_id: role.id }))
  ok(await tenant.admin.put(account, { status: 0 }))
  ok(await setDirectory(at, null))
  ok(await tenant.admin.delete(account))
})

const setDirectoryBy = (caller: Caller, { connectionId }: TestDirectory, id: number | null) =>
  caller.put(`/connections/${connectionId}`, { scim_account_id: id })

test('a break-glass user is neither adopted, shut out, deleted nor reached by another address', async () => {
  const at = await newDirectory()
  const [glass, pushed, elsewhere] = [
    await newColleague(at),
    await newColleague(at),
    await newColleague(at, (await newTenant()).id),
  ]
  await makeExempt(glass)
  const isTaken = { status: 409, body: { scimType: 'uniqueness' } }
  expect(await at.send('POST', '/Users', { userName: glass.email })).toMatchObject(isTaken)
  const { id: waiting } = await at.push({ userName: elsewhere.email })
  const move = { op: 'replace', path: 'userName', value: glass.email }
  expect(await at.patch(`/Users/${waiting}`, move)).toMatchObject(isTaken)
  const { id } = await at.push({ userName: pushed.email })
  await makeExempt(pushed)
  expect((await shutOut(at, id)).status).toBe(403)
  expect((await at.send('DELETE', `/Users/${id}`)).status).toBe(403)
  for (const user of [glass, pushed]) expect((await user.get('/profile')).status).toBe(200)
  expect((await at.send('GET', `/Users/${id}`)).body.active).toBe(true)
})

describe('a person whom the directory puts out', () => {
  test('loses an open invitation, and comes back by none', async () => {
    const at = await newDirectory()
    const { admin } = at.tenant
    const elsewhere = await newColleague(at, (await newTenant()).id)
    const { id } = await at.push({ userName: elsewhere.email })
    const first = await inviteShown(admin, elsewhere.email)
    expect((await shutOut(at, id)).status).toBe(200)
    const dead = refusal('linkDead')
    expect(await accept(first, {}, { token: elsewhere.token })).toMatchObject(dead)
    const second = await inviteShown(admin, elsewhere.email)
    expect(await accept(second, {}, { token: elsewhere.token })).toMatchObject(refusal('userShutOut'))
    expect((await at.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await accept(second, {}, { token: elsewhere.token })).toMatchObject(dead)
  })

  test('is the user who came by an invitation meanwhile', async () => {
    const at = await newDirectory()
    const elsewhere = await newColleague(at, (await newTenant()).id)
    const { id } = await at.push({ userName: elsewhere.email })
    const token = await inviteShown(at.tenant.admin, elsewhere.email)
    const { data } = await accept(token, {}, { token: elsewhere.token })
    const userId = await userIdOf(at, elsewhere.email)
    expect((await shutOut(at, id)).status).toBe(200)
    expect(ok(await at.tenant.admin.get(`/users/${userId}`)).status).toBe(0)
    expect((await call('GET', '/profile', { token: data.access_token })).status).toBe(401)
    const again = await signIn(elsewhere)
    expect(ok(await again.get('/profile')).tenant_id).toBe(elsewhere.tenantId)
  })
})

test('mapped roles of the claim end when a directory takes the user over', async () => {
  const at = await newDirectory()
  const user = await newColleague(at)
  const role = await at.tenant.role('user:read')
  await parts.store.scoped({ tenantId: at.tenant.id }).run(sql`
    insert into user_roles (tenant_id, user_id, role_id, source)
    values (${at.tenant.id}, ${user.userId}, ${role.id}, 'sso')`)
  await at.push({ userName: user.email })
  expect(await roleIdsOf(at, user.userId)).not.toContain(role.id)
  const [record] = await auditRecords(at.tenant.id, 'user', user.userId)
  expect(record?.detail).toMatchObject({ role_ids: { from: [role.id] }, source: { to: 'scim' } })
})
