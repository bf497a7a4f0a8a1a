import type { TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { isMailOn } from '../mail/mail.service.ts'
import * as store from './accounts.store.ts'

export const lastOwnWay = () =>
  new AppError(
    'lastOwnWay',
    'This is your last way to sign in to one of your organizations. Add another first',
  )

/** The ways of an account besides its identities. With mail, the link for a forgotten password gives a password. */
export const readOwnWays = async (
  { db, parts }: TransactionCtx,
  account: { id: number; hasPassword: boolean },
) => ({
  hasPassword: account.hasPassword,
  hasPasskey: (await store.selectPasskey(db, account.id)) !== undefined,
  isMailOn: isMailOn(parts),
})

/** Throws 400 if a person has just taken their last way into one of their tenants. */
export const requireOwnWayLeft = async (
  ctx: TransactionCtx,
  account: { id: number; hasPassword: boolean },
): Promise<void> => {
  if (await store.selectTenantWithoutWay(ctx.db, account.id, await readOwnWays(ctx, account))) {
    throw lastOwnWay()
  }
}
