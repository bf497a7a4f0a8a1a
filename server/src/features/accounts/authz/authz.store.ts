import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'

/** Takes the caller's lock until the transaction ends. `is_free` is false while another transaction holds it. */
export const lockTurn = (db: TransactionDb, caller: string) =>
  db.one<{ is_free: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('tenantry preview'), hashtext(${caller})) as is_free`)
