/** Proofs that a person owns the account that a connection is about to link. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import type { CallerlessCtx } from '../../../context.ts'
import { startClean } from '../../sign-in/auth/email.service.ts'
import { spendLink } from '../../accounts/mail/links.service.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import type { AccountToProve } from './resolve.service.ts'
import * as store from './linking.store.ts'

export const readSessionEpoch = async ({ db }: CallerlessCtx, accountId: number): Promise<number> =>
  (await store.selectEpoch(db, accountId)).session_epoch

/** Locks the account. True if nobody has ended its sessions since the proof. */
export const isSessionEpoch = async (
  { db }: AuthorityCtx,
  { accountId }: AccountToProve,
  epoch: number,
): Promise<boolean> => (await store.selectEpochForUpdate(db, accountId))?.session_epoch === epoch

/**
 * Spends a mailed link. Removes password, factors and sessions of an account without an owner, because another person
 * may have prepared them. Throws 400 for a spent or expired link.
 */
export const spendProofLink = async (
  ctx: AuthorityCtx,
  { accountId, email, isUnowned }: AccountToProve,
  { token, interactionId }: { token: string; interactionId: string },
): Promise<boolean> => {
  if (!(await store.selectEpochForUpdate(ctx.db, accountId))) return false
  await spendLink(ctx, token, { kinds: ['proof'], account: { id: accountId, email }, interactionId })
  if (isUnowned) {
    await startClean(ctx, { accountId, email })
    queueNotice(ctx, 'password_removed', { accountId, email })
  }
  return true
}
