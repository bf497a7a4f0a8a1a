import type { TransactionCtx } from '../../context.ts'
import { tellEnded } from './ends.service.ts'
import * as store from './connection-ends.store.ts'

/** Ends the sessions and sign-ins that a connection of the tenant in scope has opened. */
export const endSessionsOfConnection = async (ctx: TransactionCtx, id: string): Promise<void> => {
  store.deleteSignInRowsOfConnection(ctx.db, ctx.tenantId, id)
  tellEnded(ctx, await store.deleteSessionRowsOfConnection(ctx.db, ctx.tenantId, id))
}
