import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'

/** Takes the caller's turn until the transaction ends. Not free while a transaction of any replica has it. */
export const takeTurn = (db: TransactionDb, caller: string) =>
  db.one<{ is_free: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('tenantry preview'), hashtext(${caller})) as is_free`)
