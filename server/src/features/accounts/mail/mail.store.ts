import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { QueuedRow, Share } from '../../../db/queue.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import { fold } from '../../../values/text.ts'

/** E-mails to an address are counted under this key. */
export interface CountedMail {
  email: string
  kind: string
  now: Date
}

/** Locks the count of one kind of e-mail to one address until the transaction ends. */
export const lockCount = (db: TransactionDb, { email, kind }: CountedMail): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry mail'), hashtext(${`${kind} ${fold(email)}`}))`)

/** Counts one more e-mail. Returns 0 when the address got `max` e-mails of that kind within the last hour. */
export const insertCount = (db: Db, { email, kind, now }: CountedMail, max: number) =>
  db.run(sql`
    insert into mail_counts (email_folded, kind, asked_at)
    select ${fold(email)}, ${kind}, ${now}
    where (
      select count(*) from mail_counts
      where email_folded = ${fold(email)} and kind = ${kind} and asked_at > ${now}::timestamptz - interval '1 hour'
    ) < ${max}`)

export interface NewLink {
  tokenHash: Buffer
  accountId: number
  kind: string
  email: string
  applicationId: number | undefined
  /** The interaction whose browser must open the link. */
  interactionId?: string
  /** Whether the link is for an address without an account. */
  isOfNobody?: boolean
  expiresAt: Date
}

/** Does nothing for an unknown account. Callers run it for known and unknown accounts alike. */
export const insertLink = (db: TransactionDb, link: NewLink): void =>
  db.send(sql`
    insert into account_links (token_hash, account_id, kind, email, application_id, interaction_id, expires_at)
    select ${link.tokenHash}::bytea, a.id, ${link.kind}, ${link.email}, ${link.applicationId ?? null}::bigint,
      ${link.interactionId ?? null}::uuid, ${link.expiresAt}::timestamptz
    from (values (${link.accountId}::bigint)) as asked(id)
    left join accounts a on a.id = asked.id
    where a.id is not null or ${link.isOfNobody ?? false}::boolean`)

/** Queues the e-mail of the link that `insertLink` has just inserted. */
export const insertLinkMail = (
  db: TransactionDb,
  mail: { id: string; tokenHash: Buffer; sealedToken: Buffer; facts?: object; language: string; now: Date },
): void =>
  db.send(sql`
    insert into mail_queue
      (id, kind, email, language, link_hash, sealed_token, facts, created_at, expires_at, next_attempt_at)
    select ${mail.id}, l.kind, l.email, coalesce(a.language, ${mail.language}), l.token_hash, ${mail.sealedToken}, ${JSON.stringify(mail.facts ?? {})}::json,
      ${mail.now}::timestamptz, l.expires_at, ${mail.now}::timestamptz
    from account_links l
    left join accounts a on a.id = l.account_id
    where l.token_hash = ${mail.tokenHash}`)

/** Queues the e-mail of an invitation or a setup link. The statement is the same with and without an account. */
export const insertTenantMail = (
  db: TransactionDb,
  mail: {
    id: string
    kind: 'invitation' | 'setup'
    invitation: { tenantId: string; id: number } | undefined
    setupLinkId: string | undefined
    email: string
    sealedToken: Buffer
    language: string
    facts: object
    now: Date
    expiresAt: Date
  },
): void =>
  db.send(sql`
    insert into mail_queue (id, kind, email, language, invitation_tenant_id, invitation_id, setup_link_id, sealed_token, facts,
      created_at, expires_at, next_attempt_at)
    select ${mail.id}::uuid, ${mail.kind}, ${mail.email},
      coalesce((select language from accounts where email_folded = ${fold(mail.email)}), ${mail.language}),
      ${mail.invitation?.tenantId ?? null}::uuid, ${mail.invitation?.id ?? null}::bigint, ${mail.setupLinkId ?? null}::uuid,
      ${mail.sealedToken}::bytea, ${JSON.stringify(mail.facts)}::json,
      ${mail.now}::timestamptz, ${mail.expiresAt}::timestamptz, ${mail.now}::timestamptz`)

/** Queues the e-mail of a sign-up. The statement is the same with and without an account. */
export const insertSignUpMail = (
  db: TransactionDb,
  mail: {
    id: string
    tokenHash: Buffer
    email: string
    sealedToken: Buffer
    language: string
    now: Date
    expiresAt: Date
  },
): void =>
  db.send(sql`
    insert into mail_queue (id, kind, email, language, sign_up_hash, sealed_token, created_at, expires_at, next_attempt_at)
    select ${mail.id}::uuid, 'sign_up', ${mail.email},
      coalesce((select language from accounts where email_folded = ${fold(mail.email)}), ${mail.language}),
      ${mail.tokenHash}::bytea, ${mail.sealedToken}::bytea, ${mail.now}::timestamptz, ${mail.expiresAt}::timestamptz,
      ${mail.now}::timestamptz`)

/**
 * Queues the e-mail of a code. Without an account, queues one that offers an account, or none. The code of a setup link
 * goes to every address.
 */
export const insertCodeMail = (
  db: TransactionDb,
  mail: {
    id: string
    challengeHash: Buffer
    email: string
    /** The tenant of a setup link. */
    tenant: string | undefined
    isOffered: boolean
    sealedToken: Buffer
    language: string
    now: Date
  },
): void =>
  db.send(sql`
    insert into mail_queue (id, kind, email, language, facts, code_hash, sealed_token, created_at, expires_at, next_attempt_at)
    select ${mail.id}::uuid,
      case when c.setup_link_id is not null then 'setup_code' when c.account_id is null then 'no_account' else 'email_code' end,
      coalesce(a.email, ${mail.email}), coalesce(a.language, ${mail.language}),
      ${JSON.stringify(mail.tenant === undefined ? {} : { tenant: mail.tenant })}::json, c.challenge_hash,
      ${mail.sealedToken}::bytea, ${mail.now}::timestamptz, c.expires_at, ${mail.now}::timestamptz
    from email_codes c
    left join accounts a on a.id = c.account_id
    where c.challenge_hash = ${mail.challengeHash} and (c.account_id is not null or c.setup_link_id is not null or ${mail.isOffered}::boolean)`)

/** Queues a notice to an address of an account. */
export const insertNotice = (
  db: TransactionDb,
  notice: {
    id: string
    kind: string
    accountId: number
    email: string
    language: string
    facts: object
    now: Date
    expiresAt: Date
  },
): void =>
  db.send(sql`
    insert into mail_queue (id, kind, email, language, facts, created_at, expires_at, next_attempt_at)
    select ${notice.id}, ${notice.kind}, ${notice.email}, coalesce(language, ${notice.language}),
      ${JSON.stringify(notice.facts)}::json, ${notice.now}::timestamptz, ${notice.expiresAt}, ${notice.now}::timestamptz
    from accounts where id = ${notice.accountId}`)

/** The time at which the oldest e-mail that may still be sent was queued. */
export const selectOldestMail = (db: Db, now: Date) =>
  db.one<{ oldest: Date | null }>(
    sql`select min(created_at) as oldest from mail_queue where expires_at > ${now}`,
  )

export interface QueuedMail extends QueuedRow {
  kind: string
  email: string
  language: string
  sealed_token: Buffer | null
  facts: object
  created_at: Date
}

/**
 * Takes due e-mails, which no other replica takes before `until`. First come links and codes for which a person waits, then
 * e-mails without an attempt. An e-mail with an expired link or of a removed tenant is not due.
 */
export const takeMails = (db: Db, { now, until, limit }: Omit<Share<QueuedMail>, 'underWay'>) =>
  db.many<QueuedMail>(
    sql`
    update mail_queue set next_attempt_at = ${until}, attempts = attempts + 1
    where id = any (array(
      select id from mail_queue where next_attempt_at <= ${now} and expires_at > ${now}
        and (invitation_tenant_id is null
          or exists (select from tenants t where t.id = invitation_tenant_id and t.deleted_at is null))
      order by num_nonnulls(link_hash, sign_up_hash, code_hash) = 0, attempts, next_attempt_at limit ${limit} for update skip locked))
    returning id, kind, email, language, sealed_token, facts, created_at, attempts`,
  )

/** Expired e-mails, links and counts. Deleting a link deletes its e-mail. */
export const expiredMail = (now: Date): ExpiredRows[] => [
  { table: 'mail_queue', time: 'expires_at', before: sql`${now}`, role: 'tenantry_app' },
  { table: 'account_links', time: 'expires_at', before: sql`${now}`, role: 'tenantry_app' },
  { table: 'sign_ups', time: 'expires_at', before: sql`${now}`, role: 'tenantry_app' },
  {
    table: 'mail_counts',
    time: 'asked_at',
    before: sql`${now}::timestamptz - interval '1 hour'`,
    role: 'tenantry_app',
  },
]

/** Deletes the rows that a lost secret key has sealed. */
export const deleteSealedRows = (db: TransactionDb): void => {
  db.send(sql`delete from mail_queue where sealed_token is not null`)
  db.send(sql`delete from account_devices`)
  db.send(sql`delete from device_keys`)
}

export const selectDeviceKey = (db: Db) =>
  db.one<{ sealed_key: Buffer }>(sql`select sealed_key from device_keys where id = 1`)

/** Keeps the key if another replica has already inserted one. */
export const insertDeviceKey = (db: Db, sealedKey: Buffer) =>
  db.run(sql`insert into device_keys (id, sealed_key) values (1, ${sealedKey}) on conflict (id) do nothing`)

/**
 * Stores a sign-in from a device. Returns the time of the last earlier sign-in from this device and from any device of
 * the account; null for none.
 */
export const upsertDevice = (db: TransactionDb, accountId: number, device: Buffer, now: Date) => {
  const before = db.one<{ seen_before: Date | null; any_seen_before: Date | null }>(sql`
    select max(last_seen_at) filter (where device = ${device}) as seen_before, max(last_seen_at) as any_seen_before
    from account_devices where account_id = ${accountId}`)
  db.send(sql`
    insert into account_devices (account_id, device, last_seen_at) values (${accountId}, ${device}, ${now})
    on conflict (account_id, device) do update set last_seen_at = excluded.last_seen_at`)
  return before
}
