/** Approvals stay as long as the records of their tenant. */
import type { TransactionDb } from '../../../db/client.ts'
import { deleteExpiredApprovals } from './approvals.store.ts'

/** Deletes the approvals of a tenant's expired period, in the transaction that deletes its records. */
export const expireApprovals = (db: TransactionDb, tenantId: string): void =>
  deleteExpiredApprovals(db, tenantId)
