/** Attributes of users that a directory fills. */
import { expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { newDirectory, type TestDirectory } from '../../../../test/directories.ts'
import { auditRecords, ok, platformAdmin } from '../../../../test/factories.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const open = { self: 'write', administrators: 'write' }

const userOf = async ({ tenant }: TestDirectory, { userName }: { userName: string }): Promise<number> =>
  ok(await tenant.admin.get(`/users?search=${encodeURIComponent(userName)}`)).items[0].id

const attributesOf = async ({ tenant }: TestDirectory, id: number) =>
  ok(await tenant.admin.get(`/users/${id}/attributes`))

const updatesOf = async ({ tenant }: TestDirectory, id: number) =>
  (await auditRecords(tenant.id, 'user', id)).filter(({ action }) => action === 'user.update')

test('a directory creates, replaces, changes and removes the values at the paths of attributes', async () => {
  const at = await newDirectory()
  const title = await declareAttribute({ ...open, scim: 'TITLE' })
  const number = await declareAttribute({
    ...open,
    schema: { type: 'integer' },
    scim: `${enterprise}:employeeNumber`,
  })
  const center = await declareAttribute({
    ...open,
    schema: { type: 'array', items: { type: 'string' } },
    scim: `${enterprise}:costCenter`,
  })
  const { id, ...pushed } = await at.push({
    title: 'Countess',
    nickName: 'Ada',
    [enterprise]: { employeeNumber: '0815', costCenter: 'Engines', division: 'Looms' },
  })
  expect([pushed['title'], pushed['nickName'], pushed[enterprise]]).toEqual([
    'Countess',
    undefined,
    { employeeNumber: '0815', costCenter: 'Engines' },
  ])
  const user = await userOf(at, pushed)
  expect(await attributesOf(at, user)).toEqual({ [title]: 'Countess', [number]: 815, [center]: ['Engines'] })
  await at.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lady' })
  await at.patch(`/Users/${id}`, { op: 'remove', path: `${enterprise}:costCenter` })
  expect(await attributesOf(at, user)).toEqual({ [title]: 'Lady', [number]: 815 })
  const [last, before] = await updatesOf(at, user)
  expect(last?.detail).toMatchObject({ [`attribute.${center}`]: { from: ['Engines'], to: null } })
  expect(before?.detail).toMatchObject({ [`attribute.${title}`]: { from: 'Countess', to: 'Lady' } })
  const whole = { userName: pushed.userName, [enterprise]: { employeeNumber: '7' } }
  expect((await at.send('PUT', `/Users/${id}`, whole)).body).not.toHaveProperty('title')
  expect(await attributesOf(at, user)).toEqual({ [number]: 7 })
  const { length } = await updatesOf(at, user)
  await at.send('PUT', `/Users/${id}`, whole)
  expect(await updatesOf(at, user)).toHaveLength(length)
  // A later declaration fills at the next push.
  const again = await declareAttribute({ ...open, scim: `${enterprise}:employeeNumber` })
  await at.send('PUT', `/Users/${id}`, whole)
  expect(await attributesOf(at, user)).toEqual({ [number]: 7, [again]: '7' })
})

test('a value that the schema refuses, or without room, leaves the earlier one, and the push goes on', async () => {
  const at = await newDirectory()
  const title = await declareAttribute({ ...open, schema: { type: 'string', maxLength: 9 }, scim: 'title' })
  const locale = await declareAttribute({ ...open, scim: 'locale' })
  const keys = await Promise.all(Array.from({ length: 4 }, () => declareAttribute(open)))
  const { id, userName } = await at.push({ title: 'Countess', locale: 'en' })
  const user = await userOf(at, { userName })
  const others = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(4000)]))
  ok(await at.tenant.admin.patch(`/users/${user}/attributes`, others))
  const long = { userName, title: 'Countess of Lovelace', locale: 'x'.repeat(1000), displayName: 'Ada' }
  expect((await at.send('PUT', `/Users/${id}`, long)).status).toBe(200)
  const stays = { ...others, [title]: 'Countess', [locale]: 'en' }
  expect(await attributesOf(at, user)).toEqual(stays)
  expect(
    (await at.patch(`/Users/${id}`, { op: 'add', path: 'locale', value: 'é'.repeat(2100) })).status,
  ).toBe(200)
  expect(await attributesOf(at, user)).toEqual(stays)
  await at.patch(`/Users/${id}`, { op: 'add', value: { title: 'Lady', locale: 'de' } })
  expect(await attributesOf(at, user)).toEqual({ ...others, [title]: 'Lady', [locale]: 'de' })
})

test('no value at the path of an attribute stops a push: it becomes a text, or is left out', async () => {
  const at = await newDirectory()
  const title = await declareAttribute({ ...open, schema: { type: 'integer' }, scim: 'title' })
  const kind = await declareAttribute({ ...open, schema: { type: 'boolean' }, scim: 'userType' })
  const keys = await Promise.all(
    ['costCenter', 'organization', 'division'].map((name) =>
      declareAttribute({ ...open, scim: `${enterprise}:${name}` }),
    ),
  )
  const [center, organization, division] = keys as [string, string, string]
  const { id, userName } = await at.push({
    title: 5,
    userType: true,
    [enterprise]: { costCenter: { id: 1 }, organization: 7, division: 'Looms' },
  })
  const user = await userOf(at, { userName })
  const first = { [title]: 5, [kind]: true, [organization]: '7', [division]: 'Looms' }
  expect(await attributesOf(at, user)).toEqual(first)
  for (const operation of [
    { op: 'replace', path: 'title', value: { any: 1 } },
    { op: 'replace', path: 'title[type eq "work"]', value: 6 },
    { op: 'replace', path: 'title[', value: 6 },
    { op: 'add', path: 'title.first', value: 6 },
    { op: 'add', path: 'title' },
    { op: 'add', value: { title: ['a', 'b'], userType: 'x'.repeat(5000) } },
  ]) {
    expect([operation, (await at.patch(`/Users/${id}`, operation)).status]).toEqual([operation, 200])
  }
  expect(await attributesOf(at, user)).toEqual(first)
  // 4,096 letters of three bytes each: there is room for one of them.
  const [long, tooLong] = ['語'.repeat(4096), 'x'.repeat(5000)]
  const leaver = {
    userName,
    active: false,
    title: tooLong,
    [enterprise]: { costCenter: long, organization: long, division: 'New' },
  }
  const answer = await at.send('PUT', `/Users/${id}`, leaver)
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { active: false, title: '5', [enterprise]: { division: 'New' } },
  ])
  const { costCenter: one, organization: other } = answer.body[enterprise]
  expect([one, other].filter((text) => text === long)).toHaveLength(1)
  expect(await attributesOf(at, user)).toEqual({ [title]: 5, [organization]: '7', [division]: 'New' })
  expect(await attributesOf(at, user)).not.toHaveProperty(center)
})

test('a directory deletes only what it has pushed', async () => {
  const at = await newDirectory()
  const title = await declareAttribute(open)
  const { id, userName } = await at.push()
  const user = await userOf(at, { userName })
  ok(await at.tenant.admin.patch(`/users/${user}/attributes`, { [title]: 'by hand' }))
  await declareAttribute({ ...open, scim: 'title' }, title)
  const put = (fields: object) => at.send('PUT', `/Users/${id}`, { userName, ...fields })
  for (const [fields, left] of [
    [{ displayName: 'Ada' }, { [title]: 'by hand' }],
    [{ title: 'Countess' }, { [title]: 'Countess' }],
    [{ title: null }, {}],
  ] as const) {
    expect((await put(fields)).status).toBe(200)
    expect(await attributesOf(at, user)).toEqual(left)
  }
})

test('records of pushes withhold sensitive values, and a personal export what self does not show', async () => {
  const at = await newDirectory()
  const secret = await declareAttribute({ ...open, sensitive: true, scim: `${enterprise}:employeeNumber` })
  const theirs = await declareAttribute({ administrators: 'write', scim: `${enterprise}:department` })
  const { id, userName } = await at.push({
    [enterprise]: { employeeNumber: 'quiet-1', department: 'mute-1', manager: { value: 'boss' } },
  })
  const user = await userOf(at, { userName })
  await at.patch(
    `/Users/${id}`,
    { op: 'replace', path: `${enterprise}:employeeNumber`, value: 'quiet-2' },
    { op: 'replace', path: `${enterprise}:department`, value: 'mute-2' },
  )
  expect(await attributesOf(at, user)).toEqual({ [secret]: 'quiet-2', [theirs]: 'mute-2' })
  const [record] = await updatesOf(at, user)
  expect(record?.detail).toMatchObject({
    attributes_withheld: { from: null, to: [secret] },
    [`attribute.${theirs}`]: { from: 'mute-1', to: 'mute-2' },
  })
  expect(record?.detail).not.toHaveProperty('extension')
  expect(JSON.stringify(await auditRecords(at.tenant.id, 'user', user))).not.toContain('quiet')
  const { text } = await at.tenant.admin.get(`/users/${user}/export`)
  expect(text).not.toContain('mute')
})

test('nobody else writes what a directory fills, until the directory is gone', async () => {
  const at = await newDirectory()
  const root = await platformAdmin()
  const { tenant } = at
  const [title, free] = [await declareAttribute({ ...open, scim: 'title' }), await declareAttribute(open)]
  const member = await tenant.member()
  const path = `/users/${member.userId}/attributes`
  // A user whom no directory has pushed.
  ok(await tenant.admin.patch(path, { [title]: 'by hand' }))
  const pushed = `/users/${await userOf(at, await at.push())}/attributes`
  for (const write of [
    () => tenant.admin.patch(pushed, { [free]: 'x', [title]: 'x' }),
    () => root.patch(pushed, { [title]: 'x' }, { tenant: tenant.id }),
    () => root.patch(pushed, { [title]: null }, { tenant: tenant.id }),
  ]) {
    expect(await write()).toMatchObject(refusal('attributeFilled'))
  }
  expect(ok(await tenant.admin.patch(pushed, { [free]: 'x' }))).toEqual({ [free]: 'x' })
  ok(await tenant.admin.put(`/connections/${at.connectionId}`, { scim_account_id: null }))
  expect(ok(await tenant.admin.patch(pushed, { [title]: 'y' }))).toEqual({ [free]: 'x', [title]: 'y' })
})

test('a directory fills nothing that administrators may not write', async () => {
  const at = await newDirectory()
  const root = await platformAdmin()
  const key = await declareAttribute({ ...open, scim: 'title' })
  const put = (fields: object) =>
    root.put(`/attributes/user/${key}`, { schema: { type: 'string' }, ...fields })
  for (const administrators of ['none', 'read']) {
    expect(await put({ administrators, scim: 'title' })).toMatchObject(refusalOf('scim'))
  }
  ok(await put({ administrators: 'read' }))
  const { userName } = await at.push({ title: 'Countess' })
  expect(await attributesOf(at, await userOf(at, { userName }))).toEqual({})
})
