import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'

export interface NewCode {
  challengeHash: Buffer
  mac: Buffer
  emailFolded: string
  askedTenant: string | null
  setupLinkId: string | undefined
  expiresAt: Date
}

/** Inserts a code for an address, with or without an account. */
export const insertCode = (db: TransactionDb, row: NewCode): void =>
  db.send(sql`
    insert into email_codes
      (challenge_hash, code_mac, email_folded, account_id, account_epoch, asked_tenant, setup_link_id, expires_at)
    select ${row.challengeHash}::bytea, ${row.mac}::bytea, one.email_folded, a.id, a.session_epoch,
      ${row.askedTenant}::uuid, ${row.setupLinkId ?? null}::uuid, ${row.expiresAt}::timestamptz
    from (select ${row.emailFolded}::text as email_folded) as one
    left join accounts a on a.email_folded = one.email_folded`)

/** Deletes a code, and its waiting e-mail. */
export const deleteCode = (db: TransactionDb, challengeHash: Buffer): void =>
  db.send(sql`delete from email_codes where challenge_hash = ${challengeHash}`)

export interface CodeRow {
  email_folded: string
  /** Null for an address without an account. */
  account_id: number | null
  asked_tenant: string | null
}

/** A code that an answer can use. Undefined if it is late, or its account has changed. */
export const selectCode = (
  db: Db,
  { challengeHash, setupLinkId, now }: { challengeHash: Buffer; setupLinkId: string | undefined; now: Date },
) =>
  db.one<CodeRow>(sql`
    select c.email_folded, c.account_id, c.asked_tenant
    from email_codes c
    left join accounts a on a.id = c.account_id
    where c.challenge_hash = ${challengeHash} and c.expires_at > ${now}
      and c.setup_link_id is not distinct from ${setupLinkId ?? null}::uuid
      and c.account_epoch is not distinct from a.session_epoch
      and (a.id is null or a.email_folded = c.email_folded)`)

/** Takes one of the answers to a code. Undefined if none is left. */
export const takeGuess = (
  db: Db,
  { challengeHash, answersMax, now }: { challengeHash: Buffer; answersMax: number; now: Date },
) =>
  db.one<{ code_mac: Buffer }>(sql`
    update email_codes set wrong_answers = wrong_answers + 1
    where challenge_hash = ${challengeHash} and expires_at > ${now} and wrong_answers < ${answersMax}
    returning code_mac`)

/** Locks the wrong codes of an address until the transaction ends. */
export const lockGuesses = (db: TransactionDb, emailFolded: string): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry email codes'), hashtext(${emailFolded}))`)

export const selectGuesses = (db: Db, emailFolded: string, now: Date) =>
  db.one<{ wrong_codes: number; expires_at: Date }>(sql`
    select wrong_codes, expires_at from email_code_guesses
    where email_folded = ${emailFolded} and expires_at > ${now}`)

/** Stores the wrong codes of an address, whose guesses are locked. */
export const upsertGuesses = (
  db: TransactionDb,
  { emailFolded, count, expiresAt }: { emailFolded: string; count: number; expiresAt: Date },
): void =>
  db.send(sql`
    insert into email_code_guesses (email_folded, wrong_codes, expires_at)
    values (${emailFolded}, ${count}, ${expiresAt})
    on conflict (email_folded) do update set wrong_codes = excluded.wrong_codes, expires_at = excluded.expires_at`)

/** Expired codes and counts. */
export const pastCodes = (now: Date): ExpiredRows[] => [
  { table: 'email_codes', time: 'expires_at', before: sql`${now}`, role: 'tenantry_app' },
  { table: 'email_code_guesses', time: 'expires_at', before: sql`${now}`, role: 'tenantry_app' },
]
