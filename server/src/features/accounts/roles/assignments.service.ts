/** Roles that users and service accounts hold. */
import {
  changingAuthority,
  codesOfTenant,
  codesOfUser,
  requireHoldingRole,
  requireRankOverTenant,
  requireRankOverUser,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { platformAdminRole } from '../../../access/permissions.ts'
import { policies, requireMay } from '../../../access/policies.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import { inOwnTenant, type CallerlessCtx, type Ctx, type TransactionCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, invalid, orRefusal } from '../../../errors/app-error.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import { allowedOf, changedUsers, inOrder } from '../users/outcomes.service.ts'
import type { ChangedUsers } from '../users/users.schemas.ts'
import type { ChangeHolders, Role } from './roles.schemas.ts'
import { getRole, listRolesOfUser } from './roles.service.ts'
import * as store from './roles.store.ts'

/** A user or service account of the tenant in scope. Throws 404 for an unknown id. */
const getHolder = async (ctx: CallerlessCtx, id: number): Promise<store.RoleHolder> => {
  const holder = await store.selectHolder(ctx.db, ctx.tenantId, id)
  if (!holder) throw new AppError('userUnknown', 'The user does not exist in this tenant')
  return holder
}

/**
 * The roles of a user or service account. Callers need `role:read`, except for their own roles. A user of the tenant in
 * scope takes precedence over a caller of another tenant with the same id.
 */
export const listUserRoles = async (outer: Ctx, userId: number): Promise<Role[]> => {
  const isCaller =
    userId === outer.actor.userId && !(await store.selectHolder(outer.db, outer.tenantId, userId))
  const ctx = isCaller ? inOwnTenant(outer) : outer
  await getHolder(ctx, userId)
  requireMay(ctx.actor, policies.readRolesOfUser, { tenant_id: ctx.tenantId, user_id: userId })
  return listRolesOfUser(ctx, userId)
}

const alreadyHeld = (err: unknown): never => {
  throw violatesUnique(err, 'user_roles_pkey')
    ? new AppError('roleAlreadyHeld', 'The user holds this role already')
    : err
}

/**
 * Throws 400 before a service account gets the platform administrator's role: no key may administer the installation.
 */
const refusePlatformAdmin = (holder: store.RoleHolder, role: Role): void => {
  if (holder.is_service_account && role.is_system && role.name === platformAdminRole) {
    throw invalid('role_id', `${platformAdminRole} can be held by users only`)
  }
}

/** A user or service account, and the role. */
interface Assignment {
  userId: number
  holder: store.RoleHolder
  role: Role
}

/** Throws 403 for the account of a directory, unless the caller ranks above all users. */
const requireMayAssign = async (ctx: AuthorityCtx, { holder, role }: Assignment): Promise<void> => {
  refusePlatformAdmin(holder, role)
  if (holder.is_directory) requireRankOverTenant(ctx, await codesOfTenant(ctx))
}

const recordAssignment = (
  ctx: TransactionCtx,
  action: 'role.assign' | 'role.unassign',
  { userId, holder, role }: Assignment,
): void => {
  const fields = { user_id: userId, username: holder.name, role: role.name }
  record(ctx, {
    action,
    resourceId: role.id,
    aboutUserId: userId,
    detail: action === 'role.assign' ? changesBetween({}, fields) : changesBetween(fields, {}),
  })
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId: '' })
}

/** Assigns a role to a user or service account. Throws 403 when the role has a permission that the caller lacks. */
export const assignRole = (ctx: Ctx, userId: number, roleId: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => Promise.all([getHolder(ctx, userId), getRole(ctx, roleId)]),
    async (ctx, [holder, role]) => {
      await requireMayAssign(ctx, { userId, holder, role })
      requireHoldingRole(ctx, role)
      store.insertUserRole(ctx.db, ctx.tenantId, userId, roleId)
      recordAssignment(ctx, 'role.assign', { userId, holder, role })
      return null
    },
  ).catch(alreadyHeld)

const roleMapped = () =>
  new AppError(
    'roleMapped',
    'A group of the identity provider gives this role. Take the user out of the group, or change the mapping of the connection',
  )

/** Removes a role from a user. Throws 403 for a user who ranks above the caller, and for a role that a group gives. */
export const unassignRole = (ctx: Ctx, userId: number, roleId: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => Promise.all([getHolder(ctx, userId), getRole(ctx, roleId), codesOfUser(ctx, userId)]),
    async (ctx, [holder, role, codes]) => {
      requireRankOverUser(ctx, userId, codes)
      const removed = await keepingWayIn(ctx, () =>
        store.deleteUserRoleRow(ctx.db, ctx.tenantId, userId, roleId),
      )
      if (!removed) throw new AppError('assignmentUnknown', 'The user does not hold this role')
      if (removed.source === 'sso') throw roleMapped()
      recordAssignment(ctx, 'role.unassign', { userId, holder, role })
      return null
    },
  )

/** The facts about one user that `changeHolders` needs. */
const findAssignment = async (ctx: CallerlessCtx, userId: number, roleId: number) => {
  const [holder, held, codes] = await Promise.all([
    getHolder(ctx, userId),
    store.selectUserRole(ctx.db, ctx.tenantId, userId, roleId),
    codesOfUser(ctx, userId),
  ])
  return { userId, holder, source: held?.source, codes }
}

/**
 * Gives a role to users or takes it, in one transaction, by the rules of `assignRole` and `unassignRole`. A refusal
 * concerns one user. Throws 400 if the changes together remove the last administrator or sign-in method of a kind.
 */
export const changeHolders = (
  ctx: Ctx,
  roleId: number,
  { user_ids, held }: ChangeHolders,
): Promise<ChangedUsers> => {
  const ids = inOrder(user_ids)
  return changingAuthority(
    ctx,
    (ctx) =>
      Promise.all([
        getRole(ctx, roleId),
        Promise.all(ids.map((id) => orRefusal(findAssignment(ctx, id, roleId)))),
      ]),
    async (ctx, [role, found]) => {
      if (held) requireHoldingRole(ctx, role)
      const decide = async (one: (typeof found)[number]): Promise<Assignment | AppError | undefined> => {
        if (one instanceof AppError) return one
        const { userId, holder, source, codes } = one
        if ((source !== undefined) === held) return undefined
        if (held) await requireMayAssign(ctx, { userId, holder, role })
        else requireRankOverUser(ctx, userId, codes)
        return source === 'sso' ? roleMapped() : { userId, holder, role }
      }
      const decided = await Promise.all(found.map((one) => orRefusal(decide(one))))
      const allowed = allowedOf(decided)
      const allowedIds = allowed.map(({ userId }) => userId)
      const write = held ? store.insertUserRoles : store.deleteUserRoles
      await keepingWayIn(ctx, () => write(ctx.db, ctx.tenantId, allowedIds, roleId))
      for (const one of allowed) recordAssignment(ctx, held ? 'role.assign' : 'role.unassign', one)
      return changedUsers(ids, decided)
    },
  )
}
