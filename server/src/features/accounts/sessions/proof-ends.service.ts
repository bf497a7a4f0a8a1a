import type { TransactionCtx } from '../../../context.ts'
import { announceEnded } from './ends.service.ts'
import * as store from './proof-ends.store.ts'

/** Ends the sessions and sign-ins of a locked account that a proof opened, in all tenants. */
export const endSessionsOfProof = async (
  ctx: TransactionCtx,
  accountId: number,
  proof: string,
): Promise<void> => {
  store.deleteSignInRowsOfProof(ctx.db, accountId, proof)
  announceEnded(ctx, await store.deleteSessionRowsOfProof(ctx.db, accountId, proof))
}
