import { selectPrincipal, type PrincipalRow } from '../../../access/authority.store.ts'
import {
  lacking,
  policies,
  requireAskingAboutItself,
  requireMay,
  type SubjectOfQuestion,
} from '../../../access/policies.ts'
import { inOwnTenant, type Ctx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { listRolesOfUser, listUnknownCodes } from '../roles/roles.service.ts'
import { sessionUnknown } from '../sessions/sessions.service.ts'
import { userUnknown } from '../users/users.service.ts'
import {
  readPermissionHolder,
  type PermissionHolder,
  type PermissionCache,
} from './permission-cache.service.ts'
import type {
  Acting,
  CheckAnswer,
  CheckQuery,
  CheckQuestion,
  ExplainQuestion,
  Explanation,
  HeldPermissions,
  PermissionsQuestion,
} from './authz.schemas.ts'

/** The user about whom a caller asks. */
type Subject = Pick<
  PermissionHolder,
  'userId' | 'tenantId' | 'permissions' | 'isEnabled' | 'mayUseApplication' | 'support'
>

/**
 * The subject of a question. Throws 403 for a question about another user without `authz:check`. Throws 404 for a user
 * of another tenant or an ended session.
 */
const getSubject = async (
  ctx: Ctx,
  question: SubjectOfQuestion,
  find: PermissionCache['find'],
): Promise<Subject> => {
  const { actor } = ctx
  requireAskingAboutItself(actor, question)
  requireMay(actor, policies.askAboutUser, question)
  const isOwn = policies.askAboutUser.own(actor, question)
  const { user_id: userId = actor.userId, session_id: sessionId } = question
  // Authentication has just read these permissions, so no statement reads them again.
  if (isOwn && (sessionId === undefined || actor.support !== undefined)) {
    return { ...actor, isEnabled: !actor.isSuspended, mayUseApplication: true }
  }
  const asked = { userId, sessionId: sessionId?.toLowerCase() }
  const holder = await find(isOwn ? inOwnTenant(ctx) : ctx, asked)
  if (!holder) throw userUnknown()
  return holder
}

/** The person who works as the subject. */
const actingFor = ({ support, tenantId }: Subject): Acting | null =>
  support
    ? {
        id: support.userId,
        tenant_id: support.tenantId,
        name: support.name,
        kind: support.tenantId === tenantId ? 'user' : 'platform',
      }
    : null

/** Throws 400 for codes that the catalogue lacks: a misspelt code must not get the answer "no". */
const refuseUnknown = (field: string, unknown: string[]): void => {
  if (unknown.length === 0) return
  throw invalid(field, `no permission has the code ${unknown.join(', ')}`, 'unknownPermission')
}

/**
 * Checks whether a user has permissions of the catalogue. Callers need no permission for questions about themselves.
 */
export const checkPermissions = async (
  ctx: Ctx,
  permissionCache: PermissionCache,
  { permissions, ...question }: CheckQuestion,
  { include }: CheckQuery,
): Promise<CheckAnswer> => {
  const subject = await getSubject(ctx, question, permissionCache.find)
  refuseUnknown('permissions', await permissionCache.listUnknown(ctx, subject, permissions))
  const denied = new Set(lacking(subject, permissions))
  const results = permissions.map((permission) => ({ permission, allowed: !denied.has(permission) }))
  return { allowed: denied.size === 0, results, ...(include && { actor: actingFor(subject) }) }
}

/**
 * The permissions of a user, or those that one session of the user may use. Throws 404 for a session whose user lacks
 * the permission that its application requires.
 */
export const getPermissions = async (ctx: Ctx, question: PermissionsQuestion): Promise<HeldPermissions> => {
  // Reads the database, without a cache: the product's guard caches the answer itself.
  const subject = await getSubject(ctx, question, readPermissionHolder)
  if (!subject.mayUseApplication) throw sessionUnknown()
  const { userId, tenantId, isEnabled, permissions } = subject
  const includes = question.include?.split(',') ?? []
  return {
    user_id: userId,
    tenant_id: tenantId,
    permissions: [...permissions].toSorted(),
    ...(includes.includes('is_enabled') && { is_enabled: isEnabled }),
    ...(includes.includes('actor') && { actor: actingFor(subject) }),
  }
}

/** The roles that give a user a permission, and the reason why the permission counts or not. */
export const explainPermission = async (
  ctx: Ctx,
  { user_id, permission }: ExplainQuestion,
): Promise<Explanation> => {
  refuseUnknown('permission', await listUnknownCodes(ctx, [permission]))
  const scope = user_id === ctx.actor.userId ? inOwnTenant(ctx) : ctx
  const [holder, held] = await Promise.all([
    selectPrincipal(scope.db, scope.tenantId, user_id),
    listRolesOfUser(scope, user_id),
  ])
  if (!holder) throw userUnknown()
  const carrying = held.filter(({ permissions }) => permissions.some(({ code }) => code === permission))
  const reason = reasonOf(holder, carrying.length > 0)
  const roles = carrying.map(({ id, name }) => ({ id, name }))
  return { allowed: reason === 'granted', roles, reason }
}

const reasonOf = ({ status, tenant_status }: PrincipalRow, isCarried: boolean): Explanation['reason'] => {
  if (status !== 1) return 'user_disabled'
  if (tenant_status !== 1) return 'tenant_disabled'
  return isCarried ? 'granted' : 'not_granted'
}
