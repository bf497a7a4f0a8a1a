/** E-mail addresses that a provider or a directory changes. */
import type { TransactionCtx } from '../../../context.ts'
import { listUsersOfAccount } from '../accounts/accounts.service.ts'
import { selectUnowned } from './pushed.store.ts'
import { replaceEmail } from './users.service.ts'
import { selectAccountIdByEmail } from './users.store.ts'

/**
 * Gives an account a new address if the account has no owner and one membership, and the address is free. Returns
 * whether it did so.
 */
export const followAddress = async (
  ctx: TransactionCtx,
  accountId: number,
  email: string,
): Promise<boolean> => {
  const [unowned, users, holder] = await Promise.all([
    selectUnowned(ctx.db, accountId),
    listUsersOfAccount(ctx, accountId),
    selectAccountIdByEmail(ctx.db, email),
  ])
  if (!unowned || users.length > 1 || holder) return false
  await replaceEmail(ctx, accountId, email)
  return true
}
