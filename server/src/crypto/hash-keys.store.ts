import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../db/client.ts'

export const selectHashKey = (db: Db, id: string) =>
  db.one<{ sealed_key: Buffer }>(sql`select sealed_key from hash_keys where id = ${id}`)

export const insertHashKey = (db: TransactionDb, id: string, sealed: Buffer): void =>
  db.send(sql`insert into hash_keys (id, sealed_key) values (${id}, ${sealed}) on conflict (id) do nothing`)

export const deleteHashKeys = (db: TransactionDb): void => db.send(sql`delete from hash_keys where true`)
