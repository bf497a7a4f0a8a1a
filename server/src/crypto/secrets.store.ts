import sql, { raw } from 'sql-template-tag'
import type { Db, DbRole } from '../db/client.ts'

export const selectFingerprints = (db: Db) =>
  db.many<{ fingerprint: Buffer }>(
    sql`select fingerprint from secret_keys order by first_used_at, fingerprint`,
  )

export const insertFingerprint = (db: Db, fingerprint: Buffer, now: Date) =>
  db.run(sql`
    insert into secret_keys (fingerprint, first_used_at) values (${fingerprint}, ${now})
    on conflict (fingerprint) do nothing`)

export const deleteFingerprintsBut = (db: Db, fingerprint: Buffer) =>
  db.run(sql`delete from secret_keys where fingerprint <> ${fingerprint}`)

/**
 * A column of encrypted secrets, and the role that may rewrite it. A secret opens only under the name `<table> <id>`.
 */
export interface SealedColumn {
  table: string
  id: string
  column: string
  role: DbRole
}

export interface SealedRow {
  id: string
  sealed: Buffer
}

/**
 * Locks secrets that another key than the current one encrypted. Bytes 2 to 9 of a secret are its key's fingerprint.
 */
export const selectStaleSecrets = (db: Db, { table, id, column }: SealedColumn, current: Buffer) =>
  db.many<SealedRow>(sql`
    select ${raw(id)}::text as id, ${raw(column)} as sealed
    from ${raw(table)}
    where substring(${raw(column)} from 2 for 8) <> ${current}
    limit 500
    for update`)

export const updateSecret = (db: Db, { table, id, column }: SealedColumn, row: SealedRow) =>
  db.run(sql`
    update ${raw(table)} set ${raw(column)} = ${row.sealed} where ${raw(id)}::text = ${row.id}`)
