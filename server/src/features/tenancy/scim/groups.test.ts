/** Groups of a directory and the roles that they give, over HTTP. */
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../../../../test/answers.ts'
import { newDirectory, type TestDirectory } from '../../../../test/directories.ts'
import { auditRecords, countAuditRecords, ok, unique } from '../../../../test/factories.ts'

let own: TestDirectory
beforeAll(async () => {
  own = await newDirectory()
})

const makeGroup = async (at: TestDirectory, group: object = {}) => {
  const { status, body } = await at.send('POST', '/Groups', { displayName: unique('G'), ...group })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body as { id: string; displayName: string; members?: { value: string }[] }
}

const valuesIn = async (at: TestDirectory, id: string): Promise<string[]> =>
  ((await at.send('GET', `/Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value)

const rolesOf = async ({ tenant }: TestDirectory, userName: string) => {
  const { items } = ok(await tenant.admin.get(`/users?search=${encodeURIComponent(userName)}`))
  const roles = ok(await tenant.admin.get(`/rbac/users/${items[0].id}/roles`))
  return { userId: items[0].id as number, roles: roles.map(({ name }: { name: string }) => name) as string[] }
}

describe('a group', () => {
  test('is created, changed and deleted, with its members', async () => {
    const [ada, bob] = [await own.push(), await own.push()]
    const { id, members } = await makeGroup(own, { externalId: 'g-1', members: [{ value: ada.id }] })
    expect(members).toEqual([
      {
        value: ada.id,
        display: ada.userName,
        type: 'User',
        $ref: expect.stringContaining(`/Users/${ada.id}`),
      },
    ])
    const added = await own.patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ value: bob.id }] })
    expect([added.status, added.text]).toEqual([204, ''])
    expect(await valuesIn(own, id)).toEqual([ada.id, bob.id])
    expect((await own.send('GET', `/Users/${bob.id}`)).body.groups).toMatchObject([{ value: id }])
    await own.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${ada.id}"]` })
    expect(await valuesIn(own, id)).toEqual([bob.id])
    const { body } = await own.send('PUT', `/Groups/${id}`, {
      id,
      displayName: 'New',
      members: [{ value: ada.id }],
    })
    expect(body).toMatchObject({ displayName: 'New', members: [{ value: ada.id }] })
    expect((await own.send('DELETE', `/Groups/${id}`)).status).toBe(204)
    expect((await own.send('GET', `/Groups/${id}`)).status).toBe(404)
    const records = await auditRecords(own.tenant.id, 'directory_group', id)
    expect(records.map(({ action }) => action.slice('directory_group.'.length))).toEqual([
      'delete',
      'update',
      'update',
      'update',
      'create',
    ])
  })

  test('takes neither strangers, nor groups, nor users of other directories', async () => {
    const other = await newDirectory()
    const [stranger, ada] = [await other.push(), await own.push()]
    const { id } = await makeGroup(own)
    for (const value of [stranger.id, id, 'x', own.connectionId]) {
      const members = [{ value }, { value: ada.id }]
      expect((await own.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: members })).status).toBe(
        204,
      )
      expect(await valuesIn(own, id)).toEqual([ada.id])
    }
    const nested = [{ value: id, type: 'Group' }]
    const alone = await own.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: nested })
    expect(alone.body.scimType).toBe('invalidValue')
    const made = await own.send('POST', '/Groups', { displayName: unique(), members: nested })
    expect(made.body.scimType).toBe('invalidValue')
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await other.send(method, `/Groups/${id}`)).status).toBe(404)
    }
    expect((await other.send('PUT', `/Groups/${id}`, { displayName: 'x' })).status).toBe(404)
    expect(
      (await other.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'x' })).status,
    ).toBe(404)
  })

  test('a change to the same values leaves no record', async () => {
    const ada = await own.push()
    const { id, displayName } = await makeGroup(own, { members: [{ value: ada.id }] })
    const before = await countAuditRecords(own.tenant.id)
    await own.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    await own.patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: [{ value: own.connectionId }] })
    await own.send('PUT', `/Groups/${id}`, { displayName, members: [{ value: ada.id }] })
    expect(await countAuditRecords(own.tenant.id)).toBe(before)
  })

  test('needs a name, and an externalId of its own', async () => {
    for (const group of [{}, { displayName: '' }, { displayName: 'x'.repeat(257) }, { displayName: 7 }]) {
      expect((await own.send('POST', '/Groups', group)).body.scimType).toBe('invalidValue')
    }
    await makeGroup(own, { externalId: 'taken' })
    const answer = await own.send('POST', '/Groups', { displayName: 'x', externalId: 'taken' })
    expect([answer.status, answer.body.scimType]).toEqual([409, 'uniqueness'])
    const { id } = await makeGroup(own)
    expect((await own.patch(`/Groups/${id}`, { op: 'remove', path: 'displayName' })).body.scimType).toBe(
      'mutability',
    )
  })

  test('is found by filters, and shows members where they are asked for', async () => {
    const at = await newDirectory()
    const ada = await at.push()
    const { id } = await makeGroup(at, {
      displayName: 'Engineers',
      externalId: 'g',
      members: [{ value: ada.id }],
    })
    await makeGroup(at, { displayName: 'Others' })
    const found = async (query: string) => (await at.send('GET', `/Groups?${query}`)).body
    const by = async (filter: string) => found(`filter=${encodeURIComponent(filter)}`)
    for (const filter of [
      'displayName eq "ENGINEERS"',
      'externalId eq "g"',
      `members[value eq "${ada.id}"]`,
      `members.value eq "${ada.id}"`,
      `members eq "${ada.id}"`,
      `id eq "${id}"`,
      'members pr',
      'displayName sw "eng" and not (externalId eq "x")',
    ]) {
      expect([filter, await by(filter)]).toEqual([
        filter,
        expect.objectContaining({ totalResults: 1, Resources: [expect.objectContaining({ id })] }),
      ])
    }
    expect(await by('members.display eq "x"')).toMatchObject({ scimType: 'invalidFilter' })
    expect((await found('excludedAttributes=members')).Resources[0]).not.toHaveProperty('members')
    expect((await found('attributes=displayName')).Resources[0]).not.toHaveProperty('members')
  })
})

describe('a mapped group', () => {
  test('follows a push that names unknown users and groups, and its record says how many', async () => {
    const at = await newDirectory()
    const role = await at.tenant.role('user:read')
    const [one, two, three] = [await at.push(), await at.push(), await at.push()]
    const { id, displayName } = await makeGroup(at)
    await at.map(id, role.id)
    await at.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [one.id, two.id] })
    const { userId } = await rolesOf(at, one.userName)
    ok(await at.tenant.admin.delete(`/users/${userId}`))
    const members = [{ value: one.id }, { value: 'x' }, { value: id, type: 'Group' }, { value: three.id }]
    const holds = async () => [
      (await rolesOf(at, two.userName)).roles.includes(role.name),
      (await rolesOf(at, three.userName)).roles.includes(role.name),
    ]
    const add = { op: 'Add', path: 'members', value: members }
    expect((await at.patch(`/Groups/${id}`, add)).status).toBe(204)
    expect(await holds()).toEqual([true, true])
    const [record] = await auditRecords(at.tenant.id, 'directory_group', id)
    expect(record?.detail).toMatchObject({ added: { to: 1 }, skipped: { to: 3 } })
    expect((await at.patch(`/Groups/${id}`, { ...add, op: 'replace' })).status).toBe(204)
    expect(await holds()).toEqual([false, true])
    await at.send('PUT', `/Groups/${id}`, { displayName, members: [{ value: one.id }, { value: two.id }] })
    expect(await holds()).toEqual([true, false])
    await at.patch(`/Groups/${id}`, { op: 'remove', path: 'members', value: [...members, { value: two.id }] })
    expect(await holds()).toEqual([false, false])
    expect(
      (await at.send('PUT', `/Groups/${id}`, { displayName, members: members.slice(0, 3) })).status,
    ).toBe(200)
  })

  test('gives its role to members, from the next request on, and takes it', async () => {
    const at = await newDirectory()
    const role = await at.tenant.role('user:read')
    const ada = await at.push()
    const { id } = await makeGroup(at)
    await at.map(id, role.id)
    const before = (await rolesOf(at, ada.userName)).roles
    await at.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    const { roles, userId } = await rolesOf(at, ada.userName)
    expect(roles).toEqual([...before, role.name])
    const [record] = await auditRecords(at.tenant.id, 'directory_group', id)
    expect(record?.detail).toMatchObject({
      added: { to: 1 },
      added_user_ids: { to: [userId] },
      role_ids: { to: [role.id] },
    })
    await at.send('DELETE', `/Groups/${id}`)
    expect((await rolesOf(at, ada.userName)).roles).toEqual(before)
  })

  test('leaves a role that is held by hand, and one that another group gives', async () => {
    const at = await newDirectory()
    const [byHand, shared] = [await at.tenant.role('user:read'), await at.tenant.role('role:read')]
    const ada = await at.push()
    const { userId } = await rolesOf(at, ada.userName)
    ok(await at.tenant.admin.post(`/rbac/users/${userId}/roles`, { role_id: byHand.id }))
    const groups = [await makeGroup(at), await makeGroup(at)]
    for (const { id } of groups) {
      await at.map(id, byHand.id)
      await at.map(id, shared.id)
      await at.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: ada.id }] })
    }
    expect((await rolesOf(at, ada.userName)).roles).toEqual(
      expect.arrayContaining([byHand.name, shared.name]),
    )
    await at.patch(`/Groups/${groups[0]?.id}`, { op: 'remove', path: 'members' })
    expect((await rolesOf(at, ada.userName)).roles).toContain(shared.name)
    await at.send('DELETE', `/Groups/${groups[1]?.id}`)
    const { roles } = await rolesOf(at, ada.userName)
    expect(roles).toContain(byHand.name)
    expect(roles).not.toContain(shared.name)
  })

  test('a group that only has the name of a mapped one gives no role', async () => {
    const at = await newDirectory()
    const role = await at.tenant.role('user:read')
    const ada = await at.push()
    const { id, displayName } = await makeGroup(at)
    await at.map(id, role.id)
    await at.map(displayName, role.id)
    await makeGroup(at, { displayName, members: [{ value: ada.id }] })
    expect((await rolesOf(at, ada.userName)).roles).not.toContain(role.name)
  })
})

test('groups are listed for their mapping', async () => {
  const at = await newDirectory()
  const ada = await at.push()
  const { id, displayName } = await makeGroup(at, { externalId: 'g', members: [{ value: ada.id }] })
  await makeGroup(at)
  expect(ok(await at.tenant.admin.get('/directory/groups?page_size=1'))).toEqual({
    items: [{ id, external_id: 'g', display_name: displayName, members: 1 }],
    total: 2,
    page: 1,
  })
  const clerk = await at.tenant.userWith('user:read')
  expect(await clerk.get('/directory/groups')).toMatchObject(refusal('permissionMissing'))
})
