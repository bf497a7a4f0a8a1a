import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { auditRecords, keyWith, newTenant, ok, platformAdmin } from '../../../../test/factories.ts'

const both = { self: 'write', administrators: 'write' }

describe('the attributes of a user', () => {
  test('are read and written by administrators, and by the user as self says', async () => {
    const tenant = await newTenant()
    const [member, root] = [await tenant.member(), await platformAdmin()]
    const shared = await declareAttribute(both)
    const theirs = await declareAttribute({ administrators: 'write' })
    const own = await declareAttribute({ self: 'write' })
    const shown = await declareAttribute({ self: 'read', administrators: 'read' })
    const path = `/users/${member.userId}/attributes`
    const all = { [shared]: 's', [theirs]: 't', [own]: 'o', [shown]: 'n' }
    expect(ok(await root.patch(path, all, { tenant: tenant.id }))).toEqual(all)
    expect((await tenant.admin.get(path)).data).toEqual({ [shared]: 's', [theirs]: 't', [shown]: 'n' })
    expect((await member.get('/profile/attributes')).data).toEqual({
      [shared]: 's',
      [own]: 'o',
      [shown]: 'n',
    })
    expect((await member.get(path)).status).toBe(403)
    expect(await tenant.admin.patch(path, { [own]: 'x' })).toMatchObject(refusalOf(own))
    expect(await tenant.admin.patch(path, { [shown]: 'x' })).toMatchObject(refusal('permissionMissing'))
    expect(await member.patch('/profile/attributes', { [theirs]: 'x' })).toMatchObject(refusalOf(theirs))
    expect(await member.patch('/profile/attributes', { [shown]: 'x' })).toMatchObject(
      refusal('permissionMissing'),
    )
    expect(ok(await member.patch('/profile/attributes', { [shared]: null, [own]: 'p' }))).toEqual({
      [own]: 'p',
      [shown]: 'n',
    })
  })

  test('take no room from those of another capacity, so that no size tells of them', async () => {
    const tenant = await newTenant()
    const [member, root] = [await tenant.member(), await platformAdmin()]
    const path = `/users/${member.userId}/attributes`
    const fill = async (fields: object): Promise<Record<string, string>> => {
      const keys: string[] = []
      while (keys.length < 4) keys.push(await declareAttribute({ schema: { type: 'string' }, ...fields }))
      return Object.fromEntries(keys.map((key) => [key, 'x'.repeat(4000)]))
    }
    ok(await root.patch(path, await fill({}), { tenant: tenant.id }))
    ok(await tenant.admin.patch(path, await fill({ administrators: 'write' })))
    const more = await declareAttribute({ schema: { type: 'string' }, administrators: 'write' })
    expect(await tenant.admin.patch(path, { [more]: 'x'.repeat(1000) })).toMatchObject(
      refusal('invalidInput'),
    )
  })

  test('change all or none, in one record, which withholds what is sensitive or hidden', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const plain = await declareAttribute({ ...both, schema: { type: 'integer', maximum: 9 } })
    const secret = await declareAttribute({ ...both, sensitive: true })
    const hidden = await declareAttribute({ self: 'write' })
    const path = `/users/${member.userId}/attributes`
    expect(await tenant.admin.patch(path, { [secret]: 'x', [plain]: 10 })).toMatchObject(refusalOf(plain))
    expect((await tenant.admin.get(path)).data).toEqual({})
    ok(await tenant.admin.patch(path, { [plain]: 1, [secret]: 'quiet' }))
    ok(await tenant.admin.patch(path, { [plain]: 1 }))
    ok(await member.patch('/profile/attributes', { [hidden]: 'quiet', [plain]: null }))
    const records = await auditRecords(tenant.id, 'user', member.userId)
    expect(records.map(({ action }) => action).filter((action) => action === 'user.update')).toHaveLength(2)
    expect(records[1]?.detail).toMatchObject({
      [`attribute.${plain}`]: { from: null, to: 1 },
      attributes_withheld: { from: null, to: [secret] },
    })
    expect(records[0]?.detail).toMatchObject({
      [`attribute.${plain}`]: { from: 1, to: null },
      attributes_withheld: { from: null, to: ['[hidden]'] },
    })
    expect(JSON.stringify(records)).not.toContain('quiet')
    expect(JSON.stringify(records)).not.toContain(hidden)
  })

  test('have a limit for a value and for all', async () => {
    const { admin } = await newTenant()
    const keys = await Promise.all(Array.from({ length: 5 }, () => declareAttribute(both)))
    const path = `/users/${admin.userId}/attributes`
    const [first = ''] = keys
    expect(await admin.patch(path, { [first]: 'x'.repeat(4095) })).toMatchObject(refusalOf(first))
    const whole = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(4000)]))
    expect(await admin.patch(path, whole)).toMatchObject(refusal('invalidInput'))
    const { [first]: _, ...four } = whole
    expect(ok(await admin.patch(path, four))).toEqual(four)
  })

  test('are read and written by keys as by administrators, and of users beneath the caller alone', async () => {
    const tenant = await newTenant()
    const key = await keyWith(tenant.id, ['user:read', 'user:update', 'dashboard:read'])
    const name = await declareAttribute(both)
    const member = await tenant.member()
    ok(await key.patch(`/users/${member.userId}/attributes`, { [name]: 'k' }))
    expect((await key.get(`/users/${member.userId}/attributes`)).data).toEqual({ [name]: 'k' })
    expect(await key.patch(`/users/${tenant.admin.userId}/attributes`, { [name]: 'k' })).toMatchObject(
      refusal('targetOutranksCaller'),
    )
    expect((await key.get('/profile/attributes')).status).toBe(403)
    const other = await newTenant()
    expect(await other.admin.get(`/users/${member.userId}/attributes`)).toMatchObject(refusal('userUnknown'))
    expect(await other.admin.patch(`/users/${member.userId}/attributes`, {})).toMatchObject(
      refusal('userUnknown'),
    )
  })

  test('have no odd names', async () => {
    const { admin } = await newTenant()
    for (const name of ['__proto__', 'constructor', 'a.b', '']) {
      const body = JSON.parse(`{ "${name}": "x" }`) as object
      const { status } = await admin.patch(`/users/${admin.userId}/attributes`, body)
      expect([name, status]).toEqual([name, 400])
    }
  })
})

test('the export of a person has the values and records that self lets them read', async () => {
  const tenant = await newTenant()
  const member = await tenant.member()
  const shown = await declareAttribute({ self: 'read', administrators: 'write' })
  const theirs = await declareAttribute({ administrators: 'write' })
  const own = await declareAttribute({ self: 'write' })
  const body = { [shown]: 'plain', [theirs]: 'quiet' }
  ok(await tenant.admin.patch(`/users/${member.userId}/attributes`, body))
  ok(await member.patch('/profile/attributes', { [own]: 'mine' }))
  // An administrator exports no more than administrators may read.
  const { text } = await tenant.admin.get(`/users/${member.userId}/export`)
  expect(JSON.parse(text).attributes).toEqual({ [shown]: 'plain' })
  expect(text).toContain(`attribute.${shown}`)
  expect(text).not.toMatch(new RegExp(`quiet|mine|${theirs}|${own}`))
})
