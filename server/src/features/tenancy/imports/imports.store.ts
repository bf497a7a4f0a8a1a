import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { PasswordScheme } from '../../../crypto/passwords.ts'

export interface KnownAddress {
  email_folded: string
  /** The account's user in the tenant; null if the account has users only in other tenants. */
  user_id: number | null
}

/** The addresses that have an account, each with the account's user in the tenant. */
export const selectAddresses = (db: Db, tenantId: string, emailsFolded: string[]) =>
  db.many<KnownAddress>(sql`
    select a.email_folded, u.id as user_id
    from accounts a
    left join users u on u.account_id = a.id and u.tenant_id = ${tenantId}
    where a.email_folded = any (${emailsFolded})`)

/** Looks up each name by key. With `= any` PostgreSQL reads all users of a tenant that has grown since it planned. */
export const selectTakenNames = (db: Db, tenantId: string, namesFolded: string[]) =>
  db.many<{ username_folded: string }>(sql`
    select u.username_folded from unnest(${namesFolded}::text[]) as asked (name), lateral (
      select username_folded from users where tenant_id = ${tenantId} and username_folded = asked.name limit 1
    ) u`)

export interface NewAccount {
  email: string
  email_folded: string
  password_hash: string
  password_scheme: PasswordScheme
  is_proved: boolean
  is_owned: boolean
}

/** Can violate `accounts_email_key`. */
export const insertAccounts = (db: Db, accounts: NewAccount[], now: Date) =>
  db.many<{ id: number; email_folded: string }>(sql`
    insert into accounts (email, email_folded, password_hash, password_scheme, has_own_password, proved_email, created_at,
      updated_at)
    select email, email_folded, password_hash, password_scheme, is_owned, case when is_proved then email_folded end,
      ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(accounts)}::json) as r (email text, email_folded text, password_hash text,
      password_scheme text, is_proved boolean, is_owned boolean)
    returning id, email_folded`)

export interface NewUser {
  account_id: number
  email: string
  username: string
  username_folded: string
  nickname: string
  search_folded: string
  status: 0 | 1
}

/** Can violate `users_tenant_id_username_key`. */
export const insertUsers = (db: Db, tenantId: string, users: NewUser[], now: Date) =>
  db.many<{ id: number; account_id: number }>(sql`
    insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, status, created_at,
      updated_at)
    select ${tenantId}::uuid, account_id, email, username, username_folded, nickname, search_folded, status,
      ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(users)}::json) as r (account_id bigint, email text, username text,
      username_folded text, nickname text, search_folded text, status smallint)
    returning id, account_id`)

export interface NewAssignment {
  user_id: number
  role_id: number
  source: 'default' | 'manual'
  assigned_by: number
  assigned_by_tenant: string | null
  assigned_by_account: number | null
}

export const insertAssignments = (db: TransactionDb, tenantId: string, assignments: NewAssignment[]): void =>
  db.send(sql`
    insert into user_roles (tenant_id, user_id, role_id, source, assigned_by, assigned_by_tenant, assigned_by_account)
    select ${tenantId}::uuid, user_id, role_id, source, assigned_by, assigned_by_tenant, assigned_by_account
    from json_to_recordset(${JSON.stringify(assignments)}::json) as r (user_id bigint, role_id bigint, source text,
      assigned_by bigint, assigned_by_tenant uuid, assigned_by_account bigint)
    returning role_id`)
