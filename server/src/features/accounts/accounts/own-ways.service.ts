import type { TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { isMailOn } from '../mail/mail.service.ts'
import * as store from './accounts.store.ts'

const countShutTenants = async ({ db, parts }: TransactionCtx, accountId: number): Promise<number> => {
  const proofs = await store.selectFirstProofs(db, accountId, isMailOn(parts))
  const shut = await store.selectShutTenants(
    db,
    accountId,
    proofs.map(({ proof }) => proof),
  )
  return shut.length
}

/** Runs a person's change of their own ways. Throws 400 if it takes the last way into one of their tenants. */
export const keepingOwnWays = async (
  ctx: TransactionCtx,
  accountId: number,
  change: () => Promise<void>,
): Promise<void> => {
  const before = await countShutTenants(ctx, accountId)
  await change()
  if ((await countShutTenants(ctx, accountId)) <= before) return
  throw new AppError(
    'lastOwnWay',
    'This is your last way to sign in to one of your organizations. Add another first',
  )
}
