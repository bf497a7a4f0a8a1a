import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'

export interface TextKey {
  kind: string
  language: string
}

export interface TextRow extends TextKey {
  subject: string
  button: string | null
  text: string
}

const columns = sql`kind, language, subject, button, text`

export const selectTextsIn = (db: Db, kind: string, languages: string[]) =>
  db.many<TextRow>(
    sql`select ${columns} from mail_texts where kind = ${kind} and language = any (${languages})`,
  )

export const selectTexts = (db: Db) =>
  db.many<TextRow>(sql`select ${columns} from mail_texts order by kind, language`)

/** Serialises writers until the transaction ends. */
export const lockTexts = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry mail texts'), 0)`)

export const upsertText = (db: TransactionDb, { kind, language, subject, button, text }: TextRow): void =>
  db.send(sql`
    insert into mail_texts (kind, language, subject, button, text)
    values (${kind}, ${language}, ${subject}, ${button}, ${text})
    on conflict (kind, language) do update
      set subject = excluded.subject, button = excluded.button, text = excluded.text`)

export const deleteTextRow = (db: TransactionDb, { kind, language }: TextKey): void =>
  db.send(sql`delete from mail_texts where kind = ${kind} and language = ${language}`)
