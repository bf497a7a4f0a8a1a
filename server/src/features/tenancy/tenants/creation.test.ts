import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { builtInTenant } from '../../../access/permissions.ts'

const create = async (changes: object = {}) => {
  const root = await platformAdmin()
  return root.post('/org/tenants', { name: 'Some name', slug: unique('s'), ...changes })
}

describe('creating a tenant', () => {
  test('answers the tenant, enabled, with both times alike', async () => {
    const slug = unique('s')
    const { data } = await create({ slug, name: '  Analytical Engines ' })
    expect(data).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      name: 'Analytical Engines',
      slug,
      status: 1,
      created_at: expect.any(String),
      updated_at: data.created_at,
    })
    expect(Math.abs(Date.parse(data.created_at) - Date.now())).toBeLessThan(60_000)
  })

  test('gives it its system roles, and no users', async () => {
    const root = await platformAdmin()
    const { id } = (await create()).data
    const roles = (await root.get('/rbac/roles', { tenant: id })).data as {
      name: string
      is_system: boolean
    }[]
    expect(roles.map((role) => role.name).toSorted()).toEqual(['admin', 'member', 'viewer'])
    expect(roles.every((role) => role.is_system)).toBe(true)
    expect((await root.get('/users', { tenant: id })).data.total).toBe(0)
  })

  test.each(['x', 'n'.repeat(128), '😀'.repeat(128), 'Ünïcode & <b>'])(
    'accepts the name %j',
    async (name) => {
      expect((await create({ name })).data.name).toBe(name)
    },
  )

  test.each(['', '   ', 'n'.repeat(129), '😀'.repeat(129), 7, null, ['x']])(
    'refuses the name %j',
    async (name) => {
      expect(await create({ name })).toMatchObject(refusalOf('name'))
    },
  )

  test.each(['a\0b', 'a\ud800b'])('refuses the name %j, which is no text', async (name) => {
    expect((await create({ name })).status).toBe(400)
  })

  test.each([
    (mark: string) => mark,
    (mark: string) => `0-${mark}`,
    (mark: string) => `a-b_c-${mark}`,
    (mark: string) => mark.padEnd(64, 'x'),
  ])('accepts a slug of lower-case letters, digits and single separators (%#)', async (make) => {
    const slug = make(unique('s'))
    expect((await create({ slug })).data.slug).toBe(slug)
  })

  test('accepts a slug of one character', async () => {
    const root = await platformAdmin()
    const answer = await create({ slug: 'z' })
    expect(answer.data.slug).toBe('z')
    expect((await root.delete(`/org/tenants/${answer.data.id}`)).status).toBe(200)
  })

  test.each([
    '',
    ' ',
    ' trimmed ',
    'Upper',
    'ümlaut',
    'with space',
    'dot.ted',
    'a--b',
    'a__b',
    'a-_b',
    '-a',
    'a-',
    '_a',
    'a_',
    'a\n',
    'x'.repeat(65),
    7,
    null,
  ])('refuses the slug %j', async (slug) => {
    expect(await create({ slug })).toMatchObject(refusalOf('slug'))
  })

  test.each(['name', 'slug'])('needs the field %s', async (field) => {
    expect(await create({ [field]: undefined })).toMatchObject(refusalOf(field))
  })

  test('refuses a slug that exists, the built-in one too', async () => {
    const tenant = await newTenant()
    const records = await countAuditRecords(builtInTenant.id)
    expect(await create({ slug: tenant.slug })).toMatchObject(refusal('slugTaken'))
    expect(await create({ slug: 'default' })).toMatchObject(refusal('slugTaken'))
    expect(await countAuditRecords(builtInTenant.id)).toBe(records)
  })

  test('names need not be unique', async () => {
    expect([(await create()).status, (await create()).status]).toEqual([200, 200])
  })

  test('sets nothing that the specification does not list', async () => {
    const { data } = await create({ id: builtInTenant.id, status: 0, created_at: '2001-01-01T00:00:00Z' })
    expect(data.id).not.toBe(builtInTenant.id)
    expect(data.status).toBe(1)
    expect(data.created_at).not.toMatch(/^2001/)
  })

  test('exactly one of many tenants with one slug at once is created', async () => {
    const slug = unique('race')
    const answers = await Promise.all(Array.from({ length: 16 }, () => create({ slug })))
    expect(tally(answers)).toEqual({ 200: 1, 409: 15 })
    const root = await platformAdmin()
    const tenants = (await root.get('/org/tenants')).data as { slug: string }[]
    expect(tenants.filter((tenant) => tenant.slug === slug)).toHaveLength(1)
  })

  test('leaves exactly one record, in the built-in tenant, with any tenant in scope', async () => {
    const [root, other] = [await platformAdmin(), await newTenant()]
    const before = await countAuditRecords(other.id)
    const body = { name: 'Recorded', slug: unique('s') }
    const { id } = (await root.post('/org/tenants', body, { tenant: other.id })).data
    expect(await auditRecords(builtInTenant.id, 'tenant', id)).toMatchObject([
      {
        user_id: root.userId,
        action: 'tenant.create',
        detail: {
          name: { from: null, to: body.name },
          slug: { from: null, to: body.slug },
          status: { from: null, to: 1 },
        },
      },
    ])
    expect(await countAuditRecords(other.id)).toBe(before)
    expect(await countAuditRecords(id)).toBe(0)
  })
})
