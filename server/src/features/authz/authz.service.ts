import { selectHolder, type HolderRow } from '../../access/authority.store.ts'
import { lacking, policies, requireMay, type SubjectOfQuestion } from '../../access/policies.ts'
import { inOwnTenant, type Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { listRolesOfUser, listUnknownCodes } from '../roles/roles.service.ts'
import { requireSession } from '../sessions/sessions.service.ts'
import { userUnknown } from '../users/users.service.ts'
import { readHolder, type Holder, type Holders } from './holders.service.ts'
import type {
  CheckAnswer,
  CheckQuestion,
  ExplainQuestion,
  Explanation,
  HeldPermissions,
  PermissionsQuestion,
} from './authz.schemas.ts'

/** The user whom a question is about, with the permissions that count at this moment. */
type Subject = Pick<Holder, 'userId' | 'tenantId' | 'permissions'>

/** Undefined when the question is about the caller. */
const otherThanCaller = ({ actor }: Ctx, question: SubjectOfQuestion): number | undefined =>
  policies.askAboutUser.own(actor, question) ? undefined : question.user_id

/** Throws 403 for a question about another user without `authz:check`, and 404 for a user of another tenant. */
const readSubject = async (ctx: Ctx, question: SubjectOfQuestion): Promise<Subject> => {
  requireMay(ctx.actor, policies.askAboutUser, question)
  // The request has just been let in by these permissions, so no statement reads them a second time.
  const otherId = otherThanCaller(ctx, question)
  if (otherId === undefined) return ctx.actor
  // Not from the memory of checks: a guard remembers the answer again.
  const holder = await readHolder(ctx, otherId)
  if (!holder) throw userUnknown()
  return holder
}

/** Throws 400 for codes that the catalogue lacks: a misspelt code must not read as "no". */
const refuseUnknown = (field: string, unknown: string[]): void => {
  if (unknown.length === 0) return
  throw invalid(field, `no permission has the code ${unknown.join(', ')}`, 'unknownPermission')
}

/** Whether a user holds permissions of the catalogue. Nobody needs a permission to ask about themselves. */
export const checkPermissions = async (
  ctx: Ctx,
  holders: Holders,
  { permissions, user_id }: CheckQuestion,
): Promise<CheckAnswer> => {
  const question = { user_id }
  requireMay(ctx.actor, policies.askAboutUser, question)
  const otherId = otherThanCaller(ctx, question)
  const holder = otherId === undefined ? ctx.actor : await holders.find(ctx, otherId)
  if (!holder) throw userUnknown()
  refuseUnknown('permissions', await holders.listUnknown(ctx, holder, permissions))
  const denied = new Set(lacking(holder, permissions))
  const results = permissions.map((permission) => ({ permission, allowed: !denied.has(permission) }))
  return { allowed: denied.size === 0, results }
}

/** The permissions of a user. Throws 404 when the session that the question names is over. */
export const getPermissions = async (ctx: Ctx, question: PermissionsQuestion): Promise<HeldPermissions> => {
  const subject = await readSubject(ctx, question)
  await requireLiving(ctx, subject, question.session_id)
  const { userId, tenantId, permissions } = subject
  return { user_id: userId, tenant_id: tenantId, permissions: [...permissions].toSorted() }
}

const requireLiving = async (ctx: Ctx, subject: Subject, sessionId: string | undefined): Promise<void> => {
  if (sessionId === undefined) return
  const isOwn = subject === ctx.actor
  const { credential } = ctx.actor
  // The request came in by this session.
  if (isOwn && credential?.kind === 'session' && credential.id === sessionId.toLowerCase()) return
  await requireSession(isOwn ? inOwnTenant(ctx) : ctx, subject, sessionId)
}

/** The roles that give a user a permission, and the reason why it counts or not. */
export const explainPermission = async (
  ctx: Ctx,
  { user_id, permission }: ExplainQuestion,
): Promise<Explanation> => {
  refuseUnknown('permission', await listUnknownCodes(ctx, [permission]))
  const scope = user_id === ctx.actor.userId ? inOwnTenant(ctx) : ctx
  const [holder, held] = await Promise.all([
    selectHolder(scope.db, scope.tenantId, user_id),
    listRolesOfUser(scope, user_id),
  ])
  if (!holder) throw userUnknown()
  const carrying = held.filter(({ permissions }) => permissions.some(({ code }) => code === permission))
  const reason = reasonOf(holder, carrying.length > 0)
  const roles = carrying.map(({ id, name }) => ({ id, name }))
  return { allowed: reason === 'granted', roles, reason }
}

const reasonOf = ({ status, tenant_status }: HolderRow, isCarried: boolean): Explanation['reason'] => {
  if (status !== 1) return 'user_disabled'
  if (tenant_status !== 1) return 'tenant_disabled'
  return isCarried ? 'granted' : 'not_granted'
}
