/** The audit records of a directory's writes. */
import sql, { join, raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newDirectory, type TestDirectory } from '../../../../test/directories.ts'
import { auditRecords, newTenant, newUser, ok, unique } from '../../../../test/factories.ts'
import { parts, service } from '../../../../test/harness.ts'
import { inviteShown } from '../../../../test/people.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The tables of a tenant that a directory writes, audit records aside. */
const tables = ['scim_users', 'scim_groups', 'scim_group_members', 'users', 'user_roles', 'invitations']
const rows = join(
  tables.map(
    (table) => sql`(select coalesce(json_agg(t order by t::text), '[]') from ${raw(table)} t)::text`,
  ),
  ' || ',
)

/** All rows of the tenant in these tables, as one text. */
const rowsOf = async ({ tenant: { id: tenantId } }: TestDirectory): Promise<string> =>
  (await parts.store.scoped({ tenantId }).only<{ text: string }>(sql`select ${rows} as text`)).text

interface Write {
  /** Method and path, without `/scim/v2`. */
  route: string
  id?: string
  body?: object
}

/** Sends a write, and gives the id in its answer with the actions of the records that it left. */
const send = async (at: TestDirectory, { route, id = '', body }: Write) => {
  const actionsNow = async () => ok(await at.tenant.admin.get('/audit/logs?page_size=200')).items
  const [rowsBefore, { length }] = [await rowsOf(at), await actionsNow()]
  const [method = '', path = ''] = route.split(' ')
  const answer = await at.send(method as 'POST', path.replace(':id', id), body)
  expect([route, answer.status, [200, 201, 204].includes(answer.status)]).toEqual([
    route,
    answer.status,
    true,
  ])
  const records: { action: string }[] = await actionsNow()
  return {
    id: answer.body?.id as string,
    isChange: (await rowsOf(at)) !== rowsBefore,
    actions: records.slice(0, records.length - length).map(({ action }) => action),
  }
}

/** A user of a tenant, with an address in the domain of the directory. */
const newPerson = async ({ domain }: TestDirectory, tenantId: string): Promise<string> => {
  const { username, email } = await newUser(tenantId)
  const moved = `${username}@${domain}`
  await parts.store.scoped({}).run(sql`
    update accounts set email = ${moved}, email_folded = ${moved} where email_folded = ${email}`)
  return moved
}

const replacing = (path: string, value: unknown) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path, value }],
})

/** Every kind of change of a user, in turn. Each changes a row, and repeated it changes none. */
const changesOfUser = (userName: string): Omit<Write, 'id'>[] => [
  ...[
    replacing('externalId', unique()),
    replacing('name.middleName', 'King'),
    replacing(`${enterprise}:department`, 'Engines'),
    replacing('emails', [{ value: userName, type: 'work' }]),
    replacing('displayName', 'Ada'),
    replacing('active', false),
    replacing('active', true),
  ].map((body) => ({ route: 'PATCH /Users/:id', body })),
  {
    route: 'PUT /Users/:id',
    body: { userName, displayName: 'Grace', [enterprise]: { department: 'Looms' } },
  },
]

test('every write of a directory that changes a row leaves exactly one record, and every other none', async () => {
  const at = await newDirectory()
  const written = new Set<string>()
  const leaves = async (write: Write, ...actions: string[]) => {
    written.add(write.route)
    const { id, ...left } = await send(at, write)
    expect({ ...write, ...left }).toEqual({ ...write, isChange: actions.length > 0, actions })
    return id
  }
  const people = [
    { resource: 'user', userName: `${unique('p')}@${at.domain}`, action: 'user.create' },
    { resource: 'user', userName: await newPerson(at, at.tenant.id), action: 'user.update' },
    {
      resource: 'directory_user',
      userName: await newPerson(at, (await newTenant()).id),
      action: 'directory_user.create',
    },
  ]
  const created: { id: string; resource: string }[] = []
  for (const { resource, userName, action } of people) {
    const id = await leaves({ route: 'POST /Users', body: { userName } }, action)
    created.push({ id, resource })
    for (const change of changesOfUser(userName)) {
      await leaves({ ...change, id }, `${resource}.update`)
      await leaves({ ...change, id })
    }
  }
  const [{ id: first } = { id: '' }, { id: second } = { id: '' }, { id: third } = { id: '' }] = created
  const displayName = unique('g')
  const members = (...ids: string[]) => ids.map((value) => ({ value }))
  const body = { displayName, members: members(first) }
  const id = await leaves({ route: 'POST /Groups', body }, 'directory_group.create')
  for (const change of [
    { route: 'PATCH /Groups/:id', body: replacing('members', members(second, third)) },
    { route: 'PATCH /Groups/:id', body: replacing('displayName', unique('g')) },
    { route: 'PUT /Groups/:id', body: { displayName, externalId: unique(), members: members(first, third) } },
  ]) {
    await leaves({ ...change, id }, 'directory_group.update')
    await leaves({ ...change, id })
  }
  await leaves({ route: 'DELETE /Groups/:id', id }, 'directory_group.delete')
  for (const one of created) {
    await leaves({ route: 'DELETE /Users/:id', id: one.id }, `${one.resource}.delete`)
  }
  const writing = service.routes
    .filter(({ url, method, schema }) => url.startsWith('/scim/v2/') && method !== 'GET' && !schema?.hide)
    .map(({ url, method }) => `${String(method)} ${url.slice('/scim/v2'.length)}`)
  expect([...written].toSorted()).toEqual(writing.toSorted())
})

test('the record of a user without other changes has the changed fields of the directory', async () => {
  const at = await newDirectory()
  const { id, userName } = await at.push({ [enterprise]: { department: 'Engines' } })
  await at.patch(`/Users/${id}`, { op: 'replace', path: `${enterprise}:department`, value: 'Looms' })
  const [user] = ok(await at.tenant.admin.get(`/users?search=${encodeURIComponent(userName)}`)).items
  const [record] = await auditRecords(at.tenant.id, 'user', user.id)
  expect(record).toMatchObject({ action: 'user.update' })
  expect(record?.detail).toEqual({
    username: { from: user.username, to: user.username },
    extension: { from: { department: 'Engines' }, to: { department: 'Looms' } },
    source: { from: null, to: 'scim' },
  })
})

test.each([
  ['shut out', 'update', replacing('active', false)],
  ['deleted', 'delete', undefined],
])(
  'the record of a person without a user who is %s names the revoked invitation',
  async (_how, verb, body) => {
    const at = await newDirectory()
    const email = await newPerson(at, (await newTenant()).id)
    const { id } = await at.push({ userName: email })
    await inviteShown(at.tenant.admin, email)
    const [invitation] = ok(await at.tenant.admin.get('/invitations')).items
    const route = verb === 'delete' ? 'DELETE /Users/:id' : 'PATCH /Users/:id'
    const left = await send(at, { route, id, ...(body && { body }) })
    expect(left).toMatchObject({ isChange: true, actions: [`directory_user.${verb}`] })
    const [record] = await auditRecords(at.tenant.id, 'directory_user', id)
    expect(record?.detail).toMatchObject({
      email: { from: email },
      invitation_id: { from: invitation.id, to: null },
    })
  },
)
