/** The rules about who gets into a support session, for its request and for its start. */
import type { Actor } from '../../../access/actor.ts'
import { requireRankOverUser, type AuthorityCtx } from '../../../access/authority.ts'
import { lacking } from '../../../access/policies.ts'
import type { CallerlessCtx, TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import * as store from './support.store.ts'

export const supportRefused = (message: string) => new AppError('supportRefused', message)

/** The setting that counts for an actor of a tenant: staff, who come by `tenant:enter`, or colleagues. */
export const rulesOf = async (
  { db, tenantId }: CallerlessCtx,
  actorTenantId: string,
): Promise<store.Mode> => {
  const { staff, colleagues } = await store.selectModes(db, tenantId)
  return actorTenantId === tenantId ? colleagues : staff
}

/** Whether the user of the tenant in scope is asked and notified. */
export const isUserTold = async ({ db, tenantId }: CallerlessCtx): Promise<boolean> =>
  (await store.selectModes(db, tenantId)).is_user_told

export const isRanked = (actor: Actor, codes: string[]): boolean => lacking(actor, codes).length === 0

/**
 * Throws 403 for the caller's own person and a disabled user. Throws it as well for a user who holds a permission about
 * the whole installation, or is eligible for one.
 */
export const requireSupportable = async (
  { db, actor }: TransactionCtx,
  user: { account_id: number; status: number },
  codes: string[],
): Promise<void> => {
  if (user.account_id === actor.accountId) throw supportRefused('This is a user of your own')
  if (user.status !== 1) throw supportRefused('This user is disabled')
  const { is_platform: isPlatform } = await store.selectIsPlatform(db, codes)
  if (isPlatform) throw supportRefused('This user holds a permission about the whole installation')
}

/** Throws 403 unless the caller may start an allowed session now. */
export const requireStartable = async (
  ctx: AuthorityCtx,
  user: { id: number; account_id: number; status: number },
  codes: string[],
  { is_open: isOpen, decided_by: decidedBy }: store.SupportFacts,
): Promise<void> => {
  await requireSupportable(ctx, user, codes)
  if (!isOpen) throw supportRefused('This tenant does not allow this support session any more')
  const isColleague = ctx.actor.tenantId === ctx.tenantId
  if (isColleague || decidedBy === null) requireRankOverUser(ctx, user.id, codes)
}
