import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import { isoTime } from '../../../db/columns.ts'
import type { FirstProof } from '../../../access/reach.sql.ts'
import type { Factor, Transport } from './factors.schemas.ts'

export interface LockedAccount {
  id: number
  email: string
  password_hash: string
  wrong_codes: number
  wrong_codes_until: Date | null
}

/** Locks the account until the transaction ends, so that its factors change one at a time. Lock it before its users. */
export const lockAccount = (db: Db, id: number) =>
  db.one<LockedAccount>(
    sql`select id, email, password_hash, wrong_codes, wrong_codes_until from accounts where id = ${id} for no key update`,
  )

/** Stores a wrong code of a locked account. */
export const updateWrongCodes = (db: TransactionDb, id: number, count: number, until: Date): void =>
  db.send(sql`update accounts set wrong_codes = ${count}, wrong_codes_until = ${until} where id = ${id}`)

/** The confirmed factors of an account, as the API shows them. */
export const selectListedFactors = (db: Db, accountId: number) =>
  db.many<Factor>(sql`
    select id, type, name, ${isoTime('created_at')} as created_at, ${isoTime('last_used_at')} as last_used_at
    from factors where account_id = ${accountId} and is_confirmed
    order by factors.created_at, id`)

export const countRecoveryCodes = (db: Db, accountId: number) =>
  db.one<{ count: number }>(sql`select count(*) as count from recovery_codes where account_id = ${accountId}`)

export interface FactorRow {
  id: string
  type: Factor['type']
  name: string
  secret_sealed: Buffer | null
  credential_id: string | null
  rp_id: string | null
  public_key: Buffer | null
  counter: number
  transports: Transport[]
}

const columns = sql`id, type, name, secret_sealed, credential_id, rp_id, public_key, counter, transports`

/** The confirmed factors of an account. */
export const selectFactors = (db: Db, accountId: number) =>
  db.many<FactorRow>(sql`
    select ${columns} from factors where account_id = ${accountId} and is_confirmed order by created_at, id`)

/** A TOTP factor that waits for its first code, unless it was created before `begunAfter`. */
export const selectPendingTotp = (db: Db, accountId: number, id: string, begunAfter: Date) =>
  db.one<FactorRow>(sql`
    select ${columns} from factors
    where id = ${id} and account_id = ${accountId} and not is_confirmed and created_at > ${begunAfter}`)

export const deletePendingTotpRows = (db: TransactionDb, accountId: number): void =>
  db.send(sql`delete from factors where account_id = ${accountId} and not is_confirmed`)

export interface NewTotp {
  id: string
  accountId: number
  name: string
  sealed: Buffer
  now: Date
}

export const insertTotp = (db: TransactionDb, { id, accountId, name, sealed, now }: NewTotp): void =>
  db.send(sql`
    insert into factors (id, account_id, type, name, is_confirmed, created_at, secret_sealed)
    values (${id}, ${accountId}, 'totp', ${name}, false, ${now}, ${sealed})`)

/** Confirms a TOTP factor, and uses up the code of `step`. */
export const updateTotpConfirmed = (db: TransactionDb, id: string, step: number): void =>
  db.send(sql`update factors set is_confirmed = true, last_step = ${step} where id = ${id}`)

/** Uses up the code of a step. Returns 0 when this code or a later one is already used. */
export const updateTotpUsed = (
  db: Db,
  { accountId, id, step, now }: { accountId: number; id: string; step: number; now: Date },
) =>
  db.run(sql`
    update factors set last_step = ${step}, last_used_at = ${now}
    where id = ${id} and account_id = ${accountId} and is_confirmed and last_step < ${step}`)

/** Gives the account its user handle at authenticators, unless it has one. */
export const updatePasskeyHandle = (db: Db, accountId: number, handle: Buffer) =>
  db.one<{ passkey_handle: Buffer }>(sql`
    update accounts set passkey_handle = coalesce(passkey_handle, ${handle}) where id = ${accountId}
    returning passkey_handle`)

/** The account, unless it has a passkey, no room for one, or its person declined one after `declinedBefore`. */
export const selectWithoutPasskey = (
  db: Db,
  { accountId, factorsMax, declinedBefore }: { accountId: number; factorsMax: number; declinedBefore: Date },
) =>
  db.one<{ id: number }>(sql`
    select a.id from accounts a
    where a.id = ${accountId} and coalesce(a.passkey_declined_at < ${declinedBefore}, true)
      and not exists (select from factors where account_id = a.id and type = 'passkey' and is_confirmed)
      and (select count(*) from factors where account_id = a.id and is_confirmed) < ${factorsMax}`)

export const updatePasskeyDeclined = (db: Db, accountId: number, now: Date) =>
  db.run(sql`update accounts set passkey_declined_at = ${now} where id = ${accountId}`)

/** Whether an account has this passkey. */
export const selectByCredential = (db: Db, credentialId: string) =>
  db.one<{ id: string }>(sql`select id from factors where credential_id = ${credentialId}`)

export const selectAccountByHandle = (db: Db, handle: Buffer) =>
  db.one<{ id: number; email: string }>(sql`select id, email from accounts where passkey_handle = ${handle}`)

export interface NewPasskeyRow {
  id: string
  accountId: number
  name: string
  credentialId: string
  rpId: string
  publicKey: Buffer
  counter: number
  transports: Transport[]
  now: Date
}

/** Can violate `factors_credential_id_key`. */
export const insertPasskey = (db: Db, row: NewPasskeyRow) =>
  db.run(sql`
    insert into factors (id, account_id, type, name, is_confirmed, created_at, credential_id, rp_id, public_key, counter,
      transports)
    values (${row.id}, ${row.accountId}, 'passkey', ${row.name}, true, ${row.now}, ${row.credentialId}, ${row.rpId},
      ${row.publicKey}, ${row.counter}, ${row.transports})`)

/**
 * Stores the use of a passkey. Returns 0 when the passkey no longer exists, or when its counter did not rise. Some
 * passkeys have no counter.
 */
export const updatePasskeyUsed = (
  db: Db,
  { accountId, id, counter, now }: { accountId: number; id: string; counter: number; now: Date },
) =>
  db.run(sql`
    update factors set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and account_id = ${accountId} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`)

export const deleteFactorRow = (db: TransactionDb, accountId: number, id: string): void =>
  db.send(sql`delete from factors where id = ${id} and account_id = ${accountId}`)

export const deleteRecoveryCodeRows = (db: TransactionDb, accountId: number): void =>
  db.send(sql`delete from recovery_codes where account_id = ${accountId}`)

export const insertRecoveryCodes = (db: TransactionDb, accountId: number, hashes: Buffer[]): void =>
  db.send(sql`
    insert into recovery_codes (account_id, code_hash)
    select ${accountId}, decode(unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]), 'hex')`)

/** Uses up a recovery code. Returns 0 when the account has no such code. */
export const deleteRecoveryCodeRow = (db: Db, accountId: number, hash: Buffer) =>
  db.run(sql`delete from recovery_codes where account_id = ${accountId} and code_hash = ${hash}`)

/** Deletes all factors, recovery codes and challenges of an account, and resets its wrong codes. */
export const deleteFactorsOfAccount = (db: TransactionDb, accountId: number): void => {
  db.send(sql`delete from factors where account_id = ${accountId}`)
  deleteRecoveryCodeRows(db, accountId)
  db.send(sql`delete from challenges where account_id = ${accountId}`)
  db.send(sql`update accounts set wrong_codes = 0, wrong_codes_until = null where id = ${accountId}`)
}

/** Deletes every TOTP factor, after the loss of the secret key that sealed them. */
export const deleteTotpRows = (db: TransactionDb): void =>
  db.send(sql`delete from factors where type = 'totp'`)

export interface NewChallenge {
  hash: Buffer
  ceremony: 'login' | 'passkey_login' | 'passkey_creation'
  accountId: number | null
  sessionId: string | null
  askedTenant: string | null
  /** The proof that a second factor follows: the password, unless it says otherwise. */
  firstProof?: FirstProof
  expiresAt: Date
}

/** Lock the account first: otherwise the session that owns the challenge can end at the same time. */
export const insertChallenge = (db: TransactionDb, row: NewChallenge): void =>
  db.send(sql`
    insert into challenges (challenge_hash, ceremony, account_id, account_epoch, session_id, asked_tenant, first_proof,
      expires_at)
    select ${row.hash}::bytea, ${row.ceremony}, ${row.accountId}::bigint,
      (select session_epoch from accounts where id = ${row.accountId}::bigint), ${row.sessionId}::uuid,
      ${row.askedTenant}::uuid, ${row.firstProof ?? 'pwd'}, ${row.expiresAt}::timestamptz`)

export const deleteChallengesOfSession = (db: TransactionDb, accountId: number, sessionId: string): void =>
  db.send(sql`delete from challenges where account_id = ${accountId} and session_id = ${sessionId}`)

/** The account and first proof of a login's challenge. Undefined for a spent or expired challenge. */
export const selectLoginChallenge = (db: Db, hash: Buffer, now: Date) =>
  db.one<{ account_id: number; email: string; asked_tenant: string | null; first_proof: FirstProof }>(sql`
    select c.account_id, a.email, c.asked_tenant, c.first_proof
    from challenges c
    join accounts a on a.id = c.account_id and a.session_epoch = c.account_epoch
    where c.challenge_hash = ${hash} and c.ceremony = 'login' and c.expires_at > ${now}`)

/**
 * Takes one of the answers that a login's challenge allows. Undefined for a spent or expired challenge. Lock the
 * account first.
 */
export const takeAnswer = (
  db: Db,
  { hash, answersMax, now }: { hash: Buffer; answersMax: number; now: Date },
) =>
  db.one<{ account_id: number }>(sql`
    update challenges c set wrong_answers = c.wrong_answers + 1
    from accounts a
    where a.id = c.account_id and a.session_epoch = c.account_epoch and c.challenge_hash = ${hash}
      and c.ceremony = 'login' and c.expires_at > ${now} and c.wrong_answers < ${answersMax}
    returning c.account_id`)

export const deleteChallengeRow = (db: TransactionDb, hash: Buffer): void =>
  db.send(sql`delete from challenges where challenge_hash = ${hash}`)

/** Uses up the challenge of a sign-in that needs only a passkey. Returns 0 for a spent or expired challenge. */
export const deletePasskeyLogin = (db: Db, hash: Buffer, now: Date) =>
  db.run(sql`
    delete from challenges
    where challenge_hash = ${hash} and ceremony = 'passkey_login' and expires_at > ${now}`)

/** Uses up the challenge of a passkey that this session adds. 0 when it is spent or expired. */
export const deletePasskeyCreation = (
  db: Db,
  { hash, accountId, sessionId, now }: { hash: Buffer; accountId: number; sessionId: string; now: Date },
) =>
  db.run(sql`
    delete from challenges c
    using accounts a
    where a.id = c.account_id and a.session_epoch = c.account_epoch and c.challenge_hash = ${hash}
      and c.ceremony = 'passkey_creation' and c.account_id = ${accountId} and c.session_id = ${sessionId}
      and c.expires_at > ${now}`)

/** Expired challenges, and TOTP factors that got no first code in time. */
export const expiredChallenges = (now: Date, begunBefore: Date): ExpiredRows[] => [
  { table: 'challenges', time: 'expires_at', before: sql`${now}`, role: 'tenantry_app' },
  {
    table: 'factors',
    time: 'created_at',
    before: sql`${begunBefore}`,
    where: 'not is_confirmed',
    role: 'tenantry_app',
  },
]
