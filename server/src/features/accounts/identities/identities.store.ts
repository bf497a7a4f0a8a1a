import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isOwned, isoTime } from '../../../db/columns.ts'
import { fold } from '../../../values/text.ts'

export interface IdentityRow {
  id: string
  slug: string
  name: string
  kind: string
  label: string
  created_at: string
  last_used_at: string
}

const columns = sql`
  i.id, p.slug, p.name, p.kind, i.label, ${isoTime('i.created_at')} as created_at,
  ${isoTime('i.last_used_at')} as last_used_at`

export const selectIdentities = (db: Db, accountId: number) =>
  db.many<IdentityRow>(sql`
    select ${columns} from identities i
    join providers p on p.id = i.provider_id
    where i.account_id = ${accountId} order by i.created_at, i.id`)

/** The account of a provider's subject. */
export const selectBySubject = (db: Db, providerId: string, subject: string) =>
  db.one<{ id: string; account_id: number; email: string }>(sql`
    select i.id, i.account_id, a.email from identities i
    join accounts a on a.id = i.account_id
    where i.provider_id = ${providerId} and i.subject = ${subject}`)

export interface NewIdentity {
  id: string
  accountId: number
  providerId: string
  subject: string
  label: string
  now: Date
}

/** Can violate `identities_subject_key`. Returns 0 unless the provider is active. */
export const insertIdentity = (db: TransactionDb, row: NewIdentity) =>
  db.run(sql`
    insert into identities (id, account_id, provider_id, subject, label, created_at)
    select ${row.id}::uuid, ${row.accountId}::bigint, p.id, ${row.subject}, ${row.label}, ${row.now}::timestamptz
    from providers p where p.id = ${row.providerId} and p.status = 'active'`)

/** Stores a use of an identity. Returns 0 if the identity is gone, or its provider is not active. */
export const updateUsed = async (
  db: TransactionDb,
  { id, accountId, now }: { id: string; accountId: number; now: Date },
): Promise<number> => {
  db.send(sql`
    update providers set last_used_at = ${now}
    where id = (select provider_id from identities where id = ${id} and account_id = ${accountId})`)
  return db.run(sql`
    update identities i set last_used_at = ${now}
    from providers p
    where i.id = ${id} and i.account_id = ${accountId} and p.id = i.provider_id and p.status = 'active'`)
}

export const deleteIdentityRow = (db: TransactionDb, accountId: number, id: string): void =>
  db.send(sql`delete from identities where id = ${id} and account_id = ${accountId}`)

export const deleteIdentitiesOfAccount = (db: TransactionDb, accountId: number): void =>
  db.send(sql`delete from identities where account_id = ${accountId}`)

/** The account of an address. */
export interface AddressedAccount {
  id: number
  /** The address as the account spells it. */
  email: string
  /** Whether the person has proved the mailbox, and chose the password or has none. */
  is_owned: boolean
}

export const selectAddressed = (db: Db, email: string) =>
  db.one<AddressedAccount>(sql`
    select a.id, a.email, ${isOwned} as is_owned from accounts a where a.email_folded = ${fold(email)}`)

/** Stores that the person has proved the mailbox of an account without a password. It then has an owner. */
export const updateOwned = (db: TransactionDb, id: number): void =>
  db.send(sql`
    update accounts set proved_email = email_folded, has_own_password = true
    where id = ${id} and password_scheme = 'none'`)

export const selectAccount = (db: Db, id: number) =>
  db.one<{ id: number; email: string }>(sql`select id, email from accounts where id = ${id}`)

/** The slug of an identity's provider. */
export const selectSlug = (db: Db, identityId: string) =>
  db.one<{ slug: string }>(sql`
    select p.slug from identities i join providers p on p.id = i.provider_id where i.id = ${identityId}`)
