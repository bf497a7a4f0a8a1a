import { describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { auditRecords, builtIn, newTenant, ok, platformAdmin, unique } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { sweepAttributes } from './stored-attributes.service.ts'

const text = { type: 'string', maxLength: 5 }
const open = { self: 'read', administrators: 'write' }

describe('a declaration', () => {
  test('is made, listed, changed without a record where nothing differs, and deleted', async () => {
    const root = await platformAdmin()
    const key = await declareAttribute({ schema: text, label: { en: 'Area' }, ...open, indexed: true })
    const whole = {
      subject: 'user',
      key,
      schema: text,
      label: { en: 'Area' },
      description: '',
      group: '',
      ...open,
      indexed: true,
      sensitive: false,
      claim: null,
      scim: null,
    }
    const listed = async (query = '') =>
      (await root.get(`/attributes${query}`)).data.filter((one: { key: string }) => one.key === key)
    expect(await listed()).toEqual([whole])
    expect(await listed('?subject=tenant')).toEqual([])
    const { subject: _, key: _key, ...body } = whole
    ok(await root.put(`/attributes/user/${key}`, body))
    expect(await auditRecords(builtIn.id, 'attribute', `user/${key}`)).toHaveLength(1)
    expect(ok(await root.put(`/attributes/user/${key}`, { schema: text }))).toMatchObject({ self: 'none' })
    ok(await root.delete(`/attributes/user/${key}`))
    expect(await root.delete(`/attributes/user/${key}`)).toMatchObject(refusal('attributeUnknown'))
    const actions = (await auditRecords(builtIn.id, 'attribute', `user/${key}`)).map(({ action }) => action)
    expect(actions).toEqual(['attribute.delete', 'attribute.update', 'attribute.update'])
  })

  test.each<[string, object, string]>([
    ['a schema outside the subset', { schema: { type: 'string', $ref: '#' } }, 'schema/$ref'],
    ['the type of an object', { schema: { type: 'object' } }, 'schema'],
    ['several types', { schema: { type: ['string', 'null'] } }, 'schema'],
    ['an array of numbers', { schema: { type: 'array', items: { type: 'number' } } }, 'schema'],
    [
      'an index over an array',
      { schema: { type: 'array', items: { type: 'string' } }, indexed: true },
      'indexed',
    ],
    ['an index over sensitive values', { schema: text, indexed: true, sensitive: true }, 'sensitive'],
    ['a claim of sensitive values', { schema: text, claim: 'salary', sensitive: true }, 'sensitive'],
    ['a claim of the protocol', { schema: text, claim: 'sub' }, 'claim'],
    ['a registered claim', { schema: text, claim: 'email' }, 'claim'],
    ['a claim of Tenantry', { schema: text, claim: 'tenant_id' }, 'claim'],
    ['the claim of a connection', { schema: text, claim: 'con' }, 'claim'],
    ['the claim of a support session', { schema: text, claim: 'support' }, 'claim'],
    ['a claim registered of late', { schema: text, claim: 'rdap_dnt_allowed' }, 'claim'],
    ['a claim that is no key', { schema: text, claim: 'https://a' }, 'claim'],
    ['the password of a directory', { schema: text, scim: 'password', administrators: 'write' }, 'scim'],
    ['the userName of a directory', { schema: text, scim: 'userName', administrators: 'write' }, 'scim'],
    ['a path that administrators may not write', { schema: text, scim: 'title' }, 'scim'],
  ])('%s is 400', async (_name, body, field) => {
    const root = await platformAdmin()
    expect(await root.put(`/attributes/user/${unique('a')}`, body)).toMatchObject(refusalOf(field))
  })

  test('takes neither self nor a path of a directory for a tenant', async () => {
    const root = await platformAdmin()
    const put = (body: object) => root.put(`/attributes/tenant/${unique('a')}`, { schema: text, ...body })
    expect(await put({ self: 'read' })).toMatchObject(refusalOf('self'))
    expect(await put({ scim: 'title', administrators: 'write' })).toMatchObject(refusalOf('scim'))
  })

  test('keeps its type, and a claim belongs to one attribute', async () => {
    const root = await platformAdmin()
    const claim = unique('c')
    const key = await declareAttribute({ schema: text, claim })
    const path = `/attributes/user/${key}`
    expect(await root.put(path, { schema: { type: 'number' } })).toMatchObject(refusalOf('schema'))
    const other = `/attributes/tenant/${unique('a')}`
    expect(await root.put(other, { schema: text, claim })).toMatchObject(refusalOf('claim'))
  })

  test('refuses to contradict stored values, and with force these have no effect', async () => {
    const [root, { id, admin }] = [await platformAdmin(), await newTenant()]
    const key = await declareAttribute({ ...open, indexed: true })
    const path = `/users/${admin.userId}/attributes`
    ok(await admin.patch(path, { [key]: 'longer' }))
    const body = { schema: text, ...open, indexed: true }
    const refused = await root.put(`/attributes/user/${key}`, body)
    expect(refused).toMatchObject({ status: 400, body: { code: 40051 } })
    expect(refused.body.data.errors[0].field).toBe(`user ${id} ${admin.userId}`)
    ok(await root.put(`/attributes/user/${key}`, { ...body, force: true }))
    expect((await admin.get(path)).data).toEqual({})
    ok(await root.put(`/attributes/user/${key}`, { ...body, schema: { type: 'string' } }))
    expect((await admin.get(path)).data).toEqual({ [key]: 'longer' })
  })

  test('leaves no value when it is deleted, also if it is made again before maintenance', async () => {
    const [root, { admin }] = [await platformAdmin(), await newTenant()]
    const key = await declareAttribute(open)
    const path = `/users/${admin.userId}/attributes`
    const declare = () => root.put(`/attributes/user/${key}`, { schema: { type: 'string' }, ...open })
    for (const sweep of [false, true]) {
      ok(await admin.patch(path, { [key]: 'one' }))
      ok(await root.delete(`/attributes/user/${key}`))
      expect((await admin.get(path)).data).toEqual({})
      expect(await admin.patch(path, { [key]: 'two' })).toMatchObject(refusalOf(key))
      if (sweep) await sweepAttributes(parts)
      ok(await declare())
      expect((await admin.get(path)).data).toEqual({})
    }
  })

  test('has at most 10 indexes for a subject', async () => {
    const root = await platformAdmin()
    for (let count = 0; count < 10; count += 1) await declareAttribute({ subject: 'tenant', indexed: true })
    const path = `/attributes/tenant/${unique('a')}`
    expect(await root.put(path, { schema: text, indexed: true })).toMatchObject(refusal('attributesFull'))
    expect(await root.delete(path)).toMatchObject(refusal('attributeUnknown'))
  })
})

test('callers see the attributes that they may read', async () => {
  const [tenant, root] = [await newTenant(), await platformAdmin()]
  const [member, prefix] = [await tenant.member(), unique('v')]
  await declareAttribute({ self: 'read' }, `${prefix}_self`)
  await declareAttribute({ administrators: 'read' }, `${prefix}_admins`)
  await declareAttribute({}, `${prefix}_none`)
  await declareAttribute({ subject: 'tenant', administrators: 'read' }, `${prefix}_tenant`)
  const seenBy = async (who: typeof member) =>
    (await who.get('/attributes')).data
      .map(({ key }: { key: string }) => key)
      .filter((key: string) => key.startsWith(prefix))
      .map((key: string) => key.slice(prefix.length + 1))
  expect(await seenBy(member)).toEqual(['self'])
  expect(await seenBy(tenant.admin)).toEqual(['admins', 'self', 'tenant'])
  expect(await seenBy(root)).toEqual(['admins', 'none', 'self', 'tenant'])
  expect((await tenant.admin.put(`/attributes/user/${prefix}`, { schema: text })).status).toBe(403)
})
