import type { TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { isMailOn } from '../mail/mail.service.ts'
import * as store from './accounts.store.ts'

/**
 * Throws 400 if a person has just taken their last way into one of their tenants. With mail, the link for a forgotten
 * password counts where passwords are open.
 */
export const requireOwnWayLeft = async (
  ctx: TransactionCtx,
  account: { id: number; hasPassword: boolean },
): Promise<void> => {
  const hasPasskey = (await store.selectPasskey(ctx.db, account.id)) !== undefined
  const kept = { hasPassword: account.hasPassword, hasPasskey, isMailOn: isMailOn(ctx.parts) }
  if (!(await store.selectTenantWithoutWay(ctx.db, account.id, kept))) return
  throw new AppError(
    'lastOwnWay',
    'This is your last way to sign in to one of your organizations. Add another first',
  )
}
