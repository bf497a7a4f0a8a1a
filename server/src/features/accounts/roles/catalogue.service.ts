/** The permissions of the product. Their audit records are in the built-in tenant. */
import { changingCatalogue, type AuthorityCtx } from '../../../access/authority.ts'
import { builtInTemplates } from '../../../access/built-in-templates.ts'
import { builtInIdMax, builtInTenant, moduleOf, reservedModules } from '../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx, type CallerlessCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import type { CreatePermission, UpdatePermission } from './catalogue.schemas.ts'
import * as store from './catalogue.store.ts'
import type { Permission } from './roles.schemas.ts'

/** Bounds the list of permissions, which has no pages. */
const permissionsMax = 1000

const codeTaken = (err: unknown): never => {
  throw violatesUnique(err, 'permissions_code_key')
    ? new AppError('permissionCodeTaken', 'A permission has this code')
    : err
}

const countPermissions = async ({ db }: CallerlessCtx): Promise<number> =>
  (await store.countPermissions(db))?.count ?? 0

/**
 * Creates a permission of the product. System roles get it by rule, so its creator needs no permissions. Throws 400 for
 * a module of the service, and 409 for a taken code.
 */
export const createPermission = (ctx: Ctx, input: CreatePermission): Promise<Permission> => {
  const { code, name, description = '' } = input
  const module = moduleOf(code)
  if (reservedModules.has(module)) {
    throw invalid('code', `the module ${module} belongs to the service`, 'moduleReserved')
  }
  return changingCatalogue(ctx, countPermissions, async (ctx, count) => {
    if (count >= permissionsMax) {
      throw new AppError(
        'catalogueFull',
        `A product has at most ${permissionsMax} permissions. Delete one first`,
      )
    }
    const holders = builtInTemplates.filter((template) => template.holds({ code, platform_only: false }))
    const row = { code, name, module, description }
    const ids = holders.map(({ id }) => id)
    const permission = await store.insertPermission(ctx.db, row, ids).catch(codeTaken)
    record(ctx, {
      action: 'permission.create',
      resourceId: permission.id,
      detail: changesBetween({}, { code, name, description }),
    })
    ctx.changes.push({ kind: 'catalogue' })
    return permission
  })
}

const getPermission = async ({ db }: CallerlessCtx, id: number): Promise<Permission> => {
  const permission = await store.selectPermission(db, id)
  if (!permission) throw new AppError('permissionUnknown', 'The permission does not exist')
  return permission
}

const requireOfProduct = ({ id, code }: Permission): void => {
  if (id <= builtInIdMax) throw new AppError('builtInPermission', `The permission ${code} is built in`)
}

const editable = ({ name, description }: Permission) => ({ name, description })

/**
 * Changes name and description of a permission of the product. Its code cannot change, because products ask for that
 * code.
 */
export const updatePermission = (ctx: Ctx, id: number, input: UpdatePermission): Promise<Permission> => {
  const isEmpty = input.name === undefined && input.description === undefined
  if (isEmpty) return inTransaction(inTenant(ctx, builtInTenant.id), (ctx) => getPermission(ctx, id))
  return changingCatalogue(
    ctx,
    (ctx) => getPermission(ctx, id),
    async (ctx, before) => {
      requireOfProduct(before)
      const { name = before.name, description = before.description } = input
      const after = { ...before, name, description }
      const detail = changesBetween(editable(before), editable(after))
      if (Object.keys(detail).length === 0) return before
      await store.updatePermission(ctx.db, after)
      record(ctx, {
        action: 'permission.update',
        resourceId: id,
        detail: { ...naming({ code: before.code }), ...detail },
      })
      return after
    },
  )
}

/** Deletes a permission of the product. After the answer, no role of any tenant has it. */
export const deletePermission = (ctx: Ctx, id: number): Promise<null> =>
  changingCatalogue(
    ctx,
    (ctx) => getPermission(ctx, id),
    async (ctx: AuthorityCtx, permission) => {
      requireOfProduct(permission)
      store.updatePermissionRemoved(ctx.db, id, ctx.parts.now())
      record(ctx, {
        action: 'permission.delete',
        resourceId: id,
        detail: changesBetween({ code: permission.code, ...editable(permission) }, {}),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return null
    },
  )
