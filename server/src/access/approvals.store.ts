import sql from 'sql-template-tag'
import type { TransactionDb } from '../db/client.ts'

/** Cancels what these users and service accounts of the tenant have asked others to approve. */
export const cancelRequestsOf = (db: TransactionDb, tenantId: string, ids: number[]): void =>
  db.send(sql`
    update approvals set status = 'cancelled'
    where tenant_id = ${tenantId} and requester_tenant is null and requester_id = any (${ids}::bigint[])
      and status in ('pending', 'approved')`)
