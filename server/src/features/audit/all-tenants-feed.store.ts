import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../db/client.ts'
import { settingsOf } from '../../db/scope.ts'

/**
 * Waits until no seal with a number is uncommitted, and keeps sealers waiting until the transaction ends: numbers given later
 * are higher than all that are committed now. Fails after half a second, so that a frozen sealer holds up no others.
 */
export const lockNumbers = (db: TransactionDb): void => {
  db.send(settingsOf({ lock_timeout: '500ms' }))
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry seal numbers'))`)
}

export const selectHighestNumber = (db: Db) =>
  db.one<{ number: number | null }>(
    sql`select max(number) as number from audit_seals where number is not null`,
  )

export const selectLowestNumber = (db: Db) =>
  db.one<{ number: number | null }>(
    sql`select min(number) as number from audit_seals where number is not null`,
  )

export interface NumberedSeal {
  tenantId: string
  sequence: number
  number: number
}

/** The seals of all living tenants from one number to another, at most `limit`. */
export const selectNumberedSeals = (
  db: Db,
  { first, last, limit }: { first: number; last: number; limit: number },
) =>
  db.many<NumberedSeal>(sql`
    select s.tenant_id as "tenantId", s.sequence, s.number from audit_seals s
    join tenants t on t.id = s.tenant_id and t.deleted_at is null
    where s.number between ${first} and ${last}
    order by s.number
    limit ${limit}`)

/** Counts the records of seals from a number on. */
export const countNumberedRecords = (db: Db, first: number, sealsMax: number) =>
  db.one<{ count: number }>(sql`
    select coalesce(sum(cardinality(record_ids)), 0)::bigint as count
    from (select record_ids from audit_seals where number >= ${first} order by number limit ${sealsMax}) as waiting`)

/** The lowest number of the seals with a record of this moment or later. */
export const selectNumberAt = (db: Db, moment: Date) =>
  db.one<{ number: number | null }>(sql`
    select min(number) as number from audit_seals where number is not null and newest_at >= ${moment}`)

export const selectLiving = (db: Db, tenantId: string) =>
  db.one<{ id: string }>(sql`select id from tenants where id = ${tenantId} and deleted_at is null`)
