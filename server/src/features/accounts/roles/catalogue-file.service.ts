/** The product's part of the catalogue as a file: exports it, compares it, and applies it in one transaction. */
import { stringify } from 'yaml'
import { readChecked, repeated, type Check, type FileOptions, type PlannedChange } from '../../../as-code.ts'
import { builtInIdMax } from '../../../access/permissions.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { inOneTransaction, rehearse } from '../../../rehearsal.ts'
import { fold } from '../../../values/text.ts'
import type { CatalogueFile, PermissionEntry, TemplateEntry } from './catalogue-file.schemas.ts'
import { createPermission, deletePermission, updatePermission } from './catalogue.service.ts'
import type { RoleTemplate } from './catalogue.schemas.ts'
import type { Permission } from './roles.schemas.ts'
import { listPermissions } from './roles.service.ts'
import * as store from './roles.store.ts'
import { createTemplate, deleteTemplate, listTemplates, updateTemplate } from './templates.service.ts'

/** A line for each difference, and the affected holders of roles. */
export interface Plan {
  lines: string[]
  tenants: number
  users: number
}

interface Present {
  permissions: Permission[]
  templates: RoleTemplate[]
}

interface Entries extends Present {
  ids: Map<string, number>
}

const idsByCode = (permissions: Permission[]) => new Map(permissions.map(({ id, code }) => [code, id]))

/** The product's entries of the catalogue. */
const readPresent = async (ctx: Ctx): Promise<Entries> => {
  const all = await listPermissions(ctx, undefined)
  const templates = await listTemplates(ctx)
  return {
    permissions: all.filter(({ id }) => id > builtInIdMax),
    templates: templates.filter((template) => !template.is_builtin),
    ids: idsByCode(all),
  }
}

/** The operator as a caller with all permissions, also with those that the file creates. */
const asOperator = (ctx: Ctx, { ids }: Entries, file: CatalogueFile): Ctx => {
  const codes = [...ids.keys(), ...file.permissions.map(({ code }) => code)]
  return { ...ctx, actor: { ...ctx.actor, permissions: new Set<string>(codes) } }
}

const codesOf = ({ permissions }: RoleTemplate): string[] => permissions.map(({ code }) => code).toSorted()

const templateEntryOf = (template: RoleTemplate): TemplateEntry => ({
  name: template.name,
  description: template.description,
  permissions: codesOf(template),
  given_to_new_users: template.given_to_new_users,
})

/** The product's part of the catalogue as YAML. */
export const exportCatalogue = async (ctx: Ctx): Promise<string> => {
  const { permissions, templates } = await readPresent(ctx)
  const file: CatalogueFile = {
    permissions: permissions.map(({ code, name, description }) => ({ code, name, description })),
    role_templates: templates.map(templateEntryOf),
  }
  return stringify(file)
}

/** Reads a catalogue file. Throws a Refusal with a line for each fault. */
export const parseCatalogue = (text: string, check: Check): CatalogueFile => {
  const file = readChecked(text, check) as CatalogueFile
  const twice = [...repeated(file.permissions.map(({ code }) => code)), ...repeated(namesOf(file))]
  if (twice.length > 0) throw new Refusal(twice.map((name) => `the file names ${name} twice`))
  return file
}

const namesOf = (file: CatalogueFile): string[] => file.role_templates.map(({ name }) => fold(name))

const permissionSteps = (present: Present, file: CatalogueFile): PlannedChange[] =>
  file.permissions.flatMap((entry): PlannedChange[] => {
    const { code, name, description = '' } = entry
    const found = present.permissions.find((one) => one.code === code)
    if (!found) {
      return [
        { line: `+ permission ${code}`, make: (ctx) => createPermission(ctx, { code, name, description }) },
      ]
    }
    if (found.name === name && found.description === description) return []
    return [
      {
        line: `~ permission ${code}: ${changeOf(found, entry)}`,
        make: (ctx) => updatePermission(ctx, found.id, { name, description }),
      },
    ]
  })

const changeOf = (found: Permission, { name, description = '' }: PermissionEntry): string =>
  [found.name === name ? [] : 'name', found.description === description ? [] : 'description']
    .flat()
    .join(', ')

const idsOf = async (ctx: Ctx, codes: string[]): Promise<number[]> => {
  const ids = idsByCode(await listPermissions(ctx, undefined))
  const unknown = codes.filter((code) => !ids.has(code))
  if (unknown.length > 0) throw new Refusal(unknown.map((code) => `no permission has the code ${code}`))
  return codes.flatMap((code) => ids.get(code) ?? [])
}

const templateSteps = (present: Present, file: CatalogueFile): PlannedChange[] =>
  file.role_templates.flatMap((entry): PlannedChange[] => {
    const found = present.templates.find(({ name }) => fold(name) === fold(entry.name))
    const { name, description = '', permissions, given_to_new_users = false } = entry
    const write = async (ctx: Ctx, id: number) =>
      updateTemplate(ctx, id, {
        name,
        description,
        permission_ids: await idsOf(ctx, permissions),
        given_to_new_users,
      })
    if (!found) {
      const create = async (ctx: Ctx) => write(ctx, (await createTemplate(ctx, { name })).id)
      return [{ line: [`+ role template ${name}`, ...codesLine(permissions)].join(': '), make: create }]
    }
    const changes = templateChanges(found, entry)
    return changes === ''
      ? []
      : [{ line: `~ role template ${name}: ${changes}`, make: (ctx) => write(ctx, found.id) }]
  })

const codesLine = (codes: string[]): string[] => (codes.length === 0 ? [] : [codes.join(', ')])

/** For example "+invoice:write, -user:read, description". */
const templateChanges = (found: RoleTemplate, entry: TemplateEntry): string => {
  const [before, after] = [codesOf(found), entry.permissions]
  return [
    ...after.filter((code) => !before.includes(code)).map((code) => `+${code}`),
    ...before.filter((code) => !after.includes(code)).map((code) => `-${code}`),
    ...(found.name === entry.name ? [] : ['name']),
    ...(found.description === (entry.description ?? '') ? [] : ['description']),
    ...(found.given_to_new_users === (entry.given_to_new_users ?? false) ? [] : ['given_to_new_users']),
  ].join(', ')
}

const removals = (present: Present, file: CatalogueFile): PlannedChange[] => {
  const codes = new Set(file.permissions.map(({ code }) => code))
  const names = new Set(namesOf(file))
  return [
    ...present.templates
      .filter(({ name }) => !names.has(fold(name)))
      .map(({ id, name }) => ({
        line: `- role template ${name}`,
        make: (ctx: Ctx) => deleteTemplate(ctx, id),
      })),
    ...present.permissions
      .filter(({ code }) => !codes.has(code))
      .map(({ id, code }) => ({
        line: `- permission ${code}`,
        make: (ctx: Ctx) => deletePermission(ctx, id),
      })),
  ]
}

const makeSteps = async (outer: Ctx, file: CatalogueFile, { prune }: FileOptions): Promise<string[]> => {
  const present = await readPresent(outer)
  const ctx = asOperator(outer, present, file)
  const steps = [
    ...permissionSteps(present, file),
    ...templateSteps(present, file),
    ...(prune ? removals(present, file) : []),
  ]
  for (const { make } of steps) await make(ctx).catch(asRefusal)
  return steps.map(({ line }) => line)
}

const asRefusal = (err: unknown): never => {
  throw err instanceof AppError ? new Refusal([err.message]) : err
}

/** Changes the catalogue to that of the file, in one transaction, with an audit record for each change. */
export const applyCatalogue = (ctx: Ctx, file: CatalogueFile, options: FileOptions): Promise<string[]> =>
  inOneTransaction(ctx, (ctx) => makeSteps(ctx, file, options))

/**
 * Returns the changes that `applyCatalogue` would make. Makes them and rolls them back. Then counts the affected
 * holders, and reports the progress of the count over the tenants.
 */
export const planCatalogue = async (
  ctx: Ctx,
  file: CatalogueFile,
  options: FileOptions,
  onProgress: (done: number, total: number) => void,
): Promise<Plan> => {
  const before = await readHeld(ctx)
  const { lines, after } = await rehearse(ctx, async (ctx) => ({
    lines: await makeSteps(ctx, file, options),
    after: await readHeld(ctx),
  }))
  return { lines, ...(await countConcerned(ctx, concernedBy(before, after), onProgress)) }
}

/** The codes of each template by id, and the ids of all permissions. */
interface CatalogueCodes {
  templates: Map<number, string>
  permissionIds: number[]
}

const readHeld = async (ctx: Ctx): Promise<CatalogueCodes> => {
  const [templates, all] = [await listTemplates(ctx), await listPermissions(ctx, undefined)]
  return {
    templates: new Map(templates.map((template) => [template.id, codesOf(template).join()])),
    permissionIds: all.map(({ id }) => id),
  }
}

/** The templates whose permissions change, and the removed permissions. */
const concernedBy = (before: CatalogueCodes, after: CatalogueCodes): store.Concerned => ({
  templateIds: [...before.templates.keys()].filter(
    (id) => before.templates.get(id) !== after.templates.get(id),
  ),
  permissionIds: before.permissionIds.filter((id) => !after.permissionIds.includes(id)),
})

/**
 * The tenants that are counted at once. Each needs a statement, because row-level security shows one tenant at a time.
 */
const countedAtOnce = 8

/** Counts the holders of roles whose permissions change. */
const countConcerned = async (
  { db, parts }: Ctx,
  concerned: store.Concerned,
  onProgress: (done: number, total: number) => void,
): Promise<Omit<Plan, 'lines'>> => {
  const counted = { tenants: 0, users: 0 }
  if (concerned.templateIds.length + concerned.permissionIds.length === 0) return counted
  const tenants = await store.selectTenantIds(db)
  const countIn = async ({ id }: { id: string }): Promise<number> =>
    (await store.countConcerned(parts.store.scoped({ tenantId: id }), id, concerned))?.count ?? 0
  for (let done = 0; done < tenants.length; done += countedAtOnce) {
    onProgress(done, tenants.length)
    const counts = await Promise.all(tenants.slice(done, done + countedAtOnce).map(countIn))
    counted.users += counts.reduce((sum, users) => sum + users, 0)
    counted.tenants += counts.filter((users) => users > 0).length
  }
  onProgress(tenants.length, tenants.length)
  return counted
}
