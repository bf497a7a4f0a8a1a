import sql from 'sql-template-tag'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auditRecords, clearCatalogue, newTenant, ok, platformAdmin } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { systemCtx } from '../../../start/parts.ts'
import type { CatalogueFile } from './catalogue-file.schemas.ts'
import { applyCatalogue, exportCatalogue, parseCatalogue, planCatalogue } from './catalogue-file.service.ts'

const ctx = () => systemCtx(parts, 'catalogue')
const keep = { prune: false }
const prune = { prune: true }
const plan = (wanted: CatalogueFile) => planCatalogue(ctx(), wanted, keep, () => {})

const file: CatalogueFile = {
  permissions: [
    { code: 'invoice:read', name: 'Read invoices', description: 'Open any invoice' },
    { code: 'invoice:write', name: 'Write invoices' },
  ],
  role_templates: [
    { name: 'Clerk', description: 'Writes invoices', permissions: ['invoice:read', 'invoice:write'] },
  ],
}

beforeAll(async () => {
  await platformAdmin()
})
afterEach(clearCatalogue)

const templates = async () => {
  const root = await platformAdmin()
  const all: { name: string; permissions: { code: string }[]; given_to_new_users: boolean }[] = ok(
    await root.get('/rbac/role-templates'),
  )
  return all.map(({ name, permissions }) => [name, permissions.map(({ code }) => code)])
}

describe('applying a catalogue file', () => {
  test('adds what is missing, with a record for each change, and a second time changes nothing', async () => {
    expect(await applyCatalogue(ctx(), file, keep)).toEqual([
      '+ permission invoice:read',
      '+ permission invoice:write',
      '+ role template Clerk: invoice:read, invoice:write',
    ])
    expect(await templates()).toContainEqual(['Clerk', ['invoice:read', 'invoice:write']])
    const root = await platformAdmin()
    const [template] = (await root.get('/rbac/role-templates')).data.slice(-1)
    const records = await auditRecords(builtInTenant.id, 'role_template', template.id)
    expect(records.map(({ action }) => action).toSorted()).toEqual([
      'role_template.create',
      'role_template.update',
    ])
    expect(await applyCatalogue(ctx(), file, keep)).toEqual([])
    expect(await auditRecords(builtInTenant.id, 'role_template', template.id)).toHaveLength(records.length)
  })

  test('changes what differs, and removes nothing without prune', async () => {
    await applyCatalogue(ctx(), file, keep)
    const [read] = file.permissions
    const smaller: CatalogueFile = {
      permissions: [{ code: 'invoice:read', name: 'See invoices' }],
      role_templates: [{ name: 'clerk', permissions: ['invoice:read'], given_to_new_users: true }],
    }
    expect(read?.name).toBe('Read invoices')
    expect(await applyCatalogue(ctx(), smaller, keep)).toEqual([
      '~ permission invoice:read: name, description',
      '~ role template clerk: -invoice:write, name, description, given_to_new_users',
    ])
    expect(await templates()).toContainEqual(['clerk', ['invoice:read']])
    expect(await applyCatalogue(ctx(), smaller, prune)).toEqual(['- permission invoice:write'])
    expect(await applyCatalogue(ctx(), { permissions: [], role_templates: [] }, prune)).toEqual([
      '- role template clerk',
      '- permission invoice:read',
    ])
  })

  test('changes all or nothing: a step that is refused takes back the ones before it', async () => {
    const bad: CatalogueFile = {
      ...file,
      role_templates: [{ name: 'Clerk', permissions: ['invoice:read', 'invoice:raed'] }],
    }
    await expect(applyCatalogue(ctx(), bad, keep)).rejects.toThrow(
      new Refusal(['no permission has the code invoice:raed']),
    )
    expect(await exportCatalogue(ctx())).toBe('permissions: []\nrole_templates: []\n')
  })

  test('gives the permissions at once to those who hold the template', async () => {
    await applyCatalogue(ctx(), { ...file, role_templates: [{ name: 'Clerk', permissions: [] }] }, keep)
    const tenant = await newTenant()
    const member = await tenant.member()
    const [role] = ok(await tenant.admin.get('/rbac/roles')).filter(
      ({ name }: { name: string }) => name === 'Clerk',
    )
    ok(await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
    const held = async () => ok(await member.get('/authz/permissions')).permissions as string[]
    expect(await held()).not.toContain('invoice:read')
    await applyCatalogue(ctx(), file, keep)
    expect(await held()).toContain('invoice:read')
  })
})

describe('a plan', () => {
  test('names the differences and counts who is concerned, and changes nothing', async () => {
    await applyCatalogue(ctx(), { ...file, role_templates: [{ name: 'Clerk', permissions: [] }] }, keep)
    const before = await exportCatalogue(ctx())
    for (const count of [2, 1]) {
      const tenant = await newTenant()
      const [role] = ok(await tenant.admin.get('/rbac/roles')).filter(
        ({ name }: { name: string }) => name === 'Clerk',
      )
      for (let n = 0; n < count; n += 1) {
        const { userId } = await tenant.member()
        ok(await tenant.admin.post(`/rbac/users/${userId}/roles`, { role_id: role.id }))
      }
    }
    expect(await plan(file)).toEqual({
      lines: ['~ role template Clerk: +invoice:read, +invoice:write, description'],
      tenants: 2,
      users: 3,
    })
    expect(await exportCatalogue(ctx())).toBe(before)
    const lastId = () => parts.store.scoped({ tenantId: builtInTenant.id }).one(sql`table template_counter`)
    const counter = await lastId()
    const more = { ...file, role_templates: [...file.role_templates, { name: 'New', permissions: [] }] }
    expect((await plan(more)).lines).toContain('+ role template New')
    expect(await lastId()).toEqual(counter)
    await applyCatalogue(ctx(), file, keep)
    expect(await plan(file)).toEqual({ lines: [], tenants: 0, users: 0 })
  })
})

describe('a file', () => {
  const accept = () => []

  test('an exported file is applied elsewhere without a difference', async () => {
    await applyCatalogue(ctx(), file, keep)
    const exported = parseCatalogue(await exportCatalogue(ctx()), accept)
    await clearCatalogue()
    expect(await applyCatalogue(ctx(), exported, keep)).toHaveLength(3)
    expect(parseCatalogue(await exportCatalogue(ctx()), accept)).toEqual(exported)
  })

  test.each([
    ['that is no YAML', 'permissions: [', /no YAML/],
    [
      'that names a code twice',
      'permissions:\n  - {code: a:b, name: A}\n  - {code: a:b, name: B}\nrole_templates: []\n',
      /names a:b twice/,
    ],
  ])('%s is refused', (_what, text, reason) => {
    expect(() => parseCatalogue(text, accept)).toThrow(reason)
  })
})
