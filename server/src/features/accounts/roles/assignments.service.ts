/** Roles that users and service accounts hold. */
import {
  changingAuthority,
  codesOfTenant,
  codesOfUser,
  giverOf,
  requireHoldingRole,
  requireGivingTenant,
  requireRankOverUser,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { readEnd } from '../../../access/ends.ts'
import { platformAdminRole } from '../../../access/permissions.ts'
import { policies, requireMay } from '../../../access/policies.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import {
  inOwnTenant,
  type CallerlessCtx,
  type Ctx,
  type EarlyCtx,
  type TransactionCtx,
} from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, invalid, orRefusal } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { allowedOf, changedUsers, inOrder } from '../users/outcomes.service.ts'
import type { ChangedUsers } from '../users/users.schemas.ts'
import { recordEnded } from './ended.service.ts'
import type { AssignRole, ChangeEnd, ChangeHolders } from './assignments.schemas.ts'
import * as assignments from './assignments.store.ts'
import type { Role } from './roles.schemas.ts'
import { codesOf, getRole, listRolesOfUser } from './roles.service.ts'
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
  if (holder.is_directory) requireGivingTenant(ctx, await codesOfTenant(ctx))
}

const recordAssignment = (
  ctx: TransactionCtx,
  action: 'role.assign' | 'role.unassign',
  { userId, holder, role }: Assignment,
  end?: string,
): void => {
  const fields = { user_id: userId, username: holder.name, role: role.name, expires_at: end }
  record(ctx, {
    action,
    resourceId: role.id,
    aboutUserId: userId,
    detail: action === 'role.assign' ? changesBetween({}, fields) : changesBetween(fields, {}),
    effect: { [action === 'role.assign' ? 'gives' : 'takes']: codesOf(role.permissions) },
  })
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId: '' })
}

/** Deletes the ended assignments of a role to some users, so that they can get it again, and records the ends. */
const clearEnded = ({ db, tenantId }: EarlyCtx, roleId: number, userIds: number[]) =>
  assignments.deleteEnded(db, tenantId, userIds.length, { roleId, userIds })

/**
 * Assigns a role to a user or service account. Throws 403 when the role has a permission that the caller lacks, or holds
 * for a shorter time.
 */
export const assignRole = (
  ctx: Ctx,
  userId: number,
  { role_id: roleId, expires_at: end }: Pick<AssignRole, 'role_id'> & { expires_at?: string | undefined },
): Promise<null> => {
  const expiresAt = readEnd('expires_at', end, ctx.parts.now())
  return changingAuthority(
    ctx,
    (ctx) => Promise.all([getHolder(ctx, userId), getRole(ctx, roleId), clearEnded(ctx, roleId, [userId])]),
    async (ctx, [holder, role, ended]) => {
      await requireMayAssign(ctx, { userId, holder, role })
      requireHoldingRole(ctx, role, expiresAt)
      recordEnded(ctx, ended)
      const row = { tenantId: ctx.tenantId, userIds: [userId], roleId, giver: giverOf(ctx), expiresAt }
      assignments.insertUserRoles(ctx.db, row)
      recordAssignment(ctx, 'role.assign', { userId, holder, role }, expiresAt?.toISOString())
      return null
    },
  ).catch(alreadyHeld)
}

const notHeld = () => new AppError('assignmentUnknown', 'The user does not hold this role')

/** The end of an assignment as a number; Infinity if it has none. */
const timeOf = (end: Date | undefined): number => end?.getTime() ?? Infinity

/**
 * Changes the end of an assignment. Throws 403 for a user who ranks above the caller, and for a role that a group gives.
 * A later end, or none, is a gift as `assignRole` makes one.
 */
export const changeEnd = (
  ctx: Ctx,
  { userId, roleId }: { userId: number; roleId: number },
  { expires_at: end }: ChangeEnd,
): Promise<null> => {
  const expiresAt = readEnd('expires_at', end, ctx.parts.now())
  return changingAuthority(
    ctx,
    (ctx) => Promise.all([getRole(ctx, roleId), findAssignment(ctx, userId, roleId)]),
    async (ctx, [role, { holder, held, codes }]) => {
      requireRankOverUser(ctx, userId, codes)
      if (!held) throw notHeld()
      if (held.source === 'sso') throw roleMapped()
      const before = held.expires_at === '' ? undefined : new Date(held.expires_at)
      if (timeOf(before) === timeOf(expiresAt)) return null
      const isLonger = timeOf(expiresAt) > timeOf(before)
      if (isLonger) {
        await requireMayAssign(ctx, { userId, holder, role })
        requireHoldingRole(ctx, role, expiresAt)
      }
      const row = { tenantId: ctx.tenantId, userIds: [userId], roleId, giver: giverOf(ctx), expiresAt }
      await keepingWayIn(ctx, async () => assignments.updateUserRoleEnd(ctx.db, row, isLonger))
      recordEnd(
        ctx,
        { userId, holder, role },
        { from: held.expires_at, to: expiresAt?.toISOString() ?? '', isLonger },
      )
      ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId: '' })
      return null
    },
  )
}

const recordEnd = (
  ctx: TransactionCtx,
  { userId, holder, role }: Assignment,
  { from, to, isLonger }: { from: string; to: string; isLonger: boolean },
): void =>
  record(ctx, {
    action: 'role.change_end',
    resourceId: role.id,
    aboutUserId: userId,
    detail: {
      ...naming({ username: holder.name, role: role.name }),
      ...changesBetween({ expires_at: from }, { expires_at: to }),
    },
    effect: { [isLonger ? 'gives' : 'takes']: codesOf(role.permissions) },
  })

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
        assignments.deleteUserRoleRow(ctx.db, ctx.tenantId, userId, roleId),
      )
      if (!removed) throw notHeld()
      if (removed.source === 'sso') throw roleMapped()
      recordAssignment(ctx, 'role.unassign', { userId, holder, role })
      return null
    },
  )

/** The facts about one user and one role. */
const findAssignment = async (ctx: CallerlessCtx, userId: number, roleId: number) => {
  const [holder, held, codes] = await Promise.all([
    getHolder(ctx, userId),
    assignments.selectUserRole(ctx.db, ctx.tenantId, userId, roleId),
    codesOfUser(ctx, userId),
  ])
  return { userId, holder, held, codes }
}

/**
 * Gives a role to users or takes it, in one transaction, by the rules of `assignRole` and `unassignRole`. A refusal
 * concerns one user. Throws 400 if the changes together remove the last administrator or sign-in method of a kind. An
 * end of a role that is taken is 400 too.
 */
export const changeHolders = (
  ctx: Ctx,
  roleId: number,
  { user_ids, held, expires_at: end }: ChangeHolders,
): Promise<ChangedUsers> => {
  if (end !== undefined && !held) throw invalid('expires_at', 'needs `held: true`')
  const expiresAt = readEnd('expires_at', end, ctx.parts.now())
  const ids = inOrder(user_ids)
  return changingAuthority(
    ctx,
    (ctx) =>
      Promise.all([
        getRole(ctx, roleId),
        Promise.all(ids.map((id) => orRefusal(findAssignment(ctx, id, roleId)))),
        clearEnded(ctx, roleId, ids),
      ]),
    async (ctx, [role, found, ended]) => {
      if (held) requireHoldingRole(ctx, role, expiresAt)
      recordEnded(ctx, ended)
      const decide = async (one: (typeof found)[number]): Promise<Assignment | AppError | undefined> => {
        if (one instanceof AppError) return one
        const { userId, holder, held: before, codes } = one
        if ((before !== undefined) === held) return undefined
        if (held) await requireMayAssign(ctx, { userId, holder, role })
        else requireRankOverUser(ctx, userId, codes)
        return before?.source === 'sso' ? roleMapped() : { userId, holder, role }
      }
      const decided = await Promise.all(found.map((one) => orRefusal(decide(one))))
      const allowed = allowedOf(decided)
      const allowedIds = allowed.map(({ userId }) => userId)
      const row = { tenantId: ctx.tenantId, userIds: allowedIds, roleId, giver: giverOf(ctx), expiresAt }
      await keepingWayIn(ctx, async () =>
        held
          ? assignments.insertUserRoles(ctx.db, row)
          : assignments.deleteUserRoles(ctx.db, ctx.tenantId, allowedIds, roleId),
      )
      for (const one of allowed) {
        recordAssignment(ctx, held ? 'role.assign' : 'role.unassign', one, expiresAt?.toISOString())
      }
      return changedUsers(ids, decided)
    },
  )
}
