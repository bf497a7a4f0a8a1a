/** Role templates: roles of every tenant, stored once. Their audit records are in the built-in tenant. */
import {
  changingCatalogue,
  requireHolding,
  requireRankOverRole,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx, type CallerlessCtx } from '../../../context.ts'
import { sqlState, violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, effectBetween, naming, record } from '../../audit/audit/audit.service.ts'
import type { CreateRoleTemplate, RoleTemplate, UpdateRoleTemplate } from './catalogue.schemas.ts'
import * as store from './catalogue.store.ts'
import { codesOf, findPermissions, requireKnown } from './roles.service.ts'
import { renameRolesNamed } from './role-names.service.ts'

/** Bounds the list of templates, which has no pages. */
const templatesMax = 200

const nameTaken = () => new AppError('templateNameTaken', 'A role template has this name')

const orNameTaken = (err: unknown): never => {
  throw violatesUnique(err, 'role_templates_name_key') ? nameTaken() : err
}

/** SQLSTATE of a violated check constraint: the counter of ids is at its end. */
const checkViolation = '23514'

const orIdsExhausted = (err: unknown): never => {
  throw sqlState(err) === checkViolation
    ? new AppError('catalogueFull', 'The ids of role templates are used up. Change one that is there')
    : err
}

export const listTemplates = (ctx: Ctx): Promise<RoleTemplate[]> =>
  store.selectTemplates(ctx.db, ctx.tenantId)

const getTemplate = async ({ db }: CallerlessCtx, id: number) => {
  const template = await store.selectTemplate(db, id)
  if (!template) throw new AppError('templateUnknown', 'The role template does not exist')
  return template
}

/** Throws 403 for a built-in template, and for a template with a permission that the caller lacks. */
const requireChangeable = (ctx: AuthorityCtx, template: RoleTemplate, verb: string): void => {
  if (template.is_builtin) {
    throw new AppError('systemRole', `The system role ${template.name} cannot be ${verb}`)
  }
  requireRankOverRole(ctx, template)
}

const shown = ({ name, description, permissions, given_to_new_users }: RoleTemplate) => ({
  name,
  description,
  permissions: codesOf(permissions),
  given_to_new_users,
})

/**
 * Creates a role of every tenant. A tenant's own role of that name gets another name. Throws 403 for a permission that
 * the caller lacks, and 409 when a template has the name.
 */
export const createTemplate = (ctx: Ctx, input: CreateRoleTemplate): Promise<RoleTemplate> => {
  const { name, description = '', permission_ids: ids = [] } = input
  return changingCatalogue(
    ctx,
    (ctx) => Promise.all([store.countTemplates(ctx.db), findPermissions(ctx, ids)]),
    async (ctx, [counted, found]) => {
      if ((counted?.count ?? 0) >= templatesMax) {
        throw new AppError(
          'catalogueFull',
          `A product has at most ${templatesMax} role templates. Delete one first`,
        )
      }
      requireHolding(ctx, codesOf(requireKnown(ids, found, false)))
      const row = { name, description, now: ctx.parts.now() }
      const added = await store.insertTemplate(ctx.db, row).catch(orIdsExhausted)
      if (!added) throw nameTaken()
      store.replaceTemplatePermissions(ctx.db, added.id, ids)
      await renameRolesNamed(ctx, name)
      const template = await getTemplate(ctx, added.id)
      record(ctx, {
        action: 'role_template.create',
        resourceId: added.id,
        detail: changesBetween({}, shown(template)),
        effect: effectBetween([], codesOf(template.permissions)),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return template
    },
  )
}

/** A template that every new user gets from now on gives all of its permissions. */
const effectOf = (before: RoleTemplate, after: RoleTemplate) =>
  !before.given_to_new_users && after.given_to_new_users
    ? {
        ...effectBetween(codesOf(before.permissions), codesOf(after.permissions)),
        gives: codesOf(after.permissions),
      }
    : effectBetween(codesOf(before.permissions), codesOf(after.permissions))

const isEmpty = (input: UpdateRoleTemplate) =>
  Object.values(input).every((value: unknown) => value === undefined)

/** Changes a template in every tenant. Throws 403 unless the caller has all its old and new permissions. */
export const updateTemplate = (ctx: Ctx, id: number, input: UpdateRoleTemplate): Promise<RoleTemplate> => {
  if (isEmpty(input)) return inTransaction(inTenant(ctx, builtInTenant.id), (ctx) => getTemplate(ctx, id))
  const { permission_ids: ids = [] } = input
  return changingCatalogue(
    ctx,
    (ctx) => Promise.all([getTemplate(ctx, id), findPermissions(ctx, ids)]),
    async (ctx, [before, found]) => {
      requireChangeable(ctx, before, 'changed')
      const wanted = input.permission_ids ? requireKnown(ids, found, false) : before.permissions
      requireHolding(ctx, codesOf(wanted))
      const after = changed(before, input, wanted)
      const detail = changesBetween(shown(before), shown(after))
      if (Object.keys(detail).length === 0) return before
      await writeTemplate(ctx, before, after)
      record(ctx, {
        action: 'role_template.update',
        resourceId: id,
        detail: { ...naming({ name: before.name }), ...detail },
        effect: effectOf(before, after),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return after
    },
  )
}

/** Uses only the editable fields: the body may also name an id. */
const changed = (
  before: RoleTemplate,
  input: UpdateRoleTemplate,
  permissions: RoleTemplate['permissions'],
): RoleTemplate => ({
  ...before,
  name: input.name ?? before.name,
  description: input.description ?? before.description,
  given_to_new_users: input.given_to_new_users ?? before.given_to_new_users,
  permissions,
})

const writeTemplate = async (ctx: AuthorityCtx, before: RoleTemplate, after: RoleTemplate): Promise<void> => {
  await store.updateTemplate(ctx.db, after).catch(orNameTaken)
  store.replaceTemplatePermissions(
    ctx.db,
    after.id,
    after.permissions.map(({ id }) => id),
  )
  if (after.name !== before.name) await renameRolesNamed(ctx, after.name)
}

/** Deletes a template. After the answer, no user of any tenant has it. */
export const deleteTemplate = (ctx: Ctx, id: number): Promise<null> =>
  changingCatalogue(
    ctx,
    (ctx) => getTemplate(ctx, id),
    async (ctx, template) => {
      requireChangeable(ctx, template, 'deleted')
      store.deleteTemplateRow(ctx.db, id)
      record(ctx, {
        action: 'role_template.delete',
        resourceId: id,
        detail: changesBetween({ ...shown(template), created_at: template.created_at }, {}),
        effect: effectBetween(codesOf(template.permissions), []),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return null
    },
  )
