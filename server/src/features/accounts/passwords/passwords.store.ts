import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'

export const selectGlobal = (db: Db, key: string) =>
  db.one<{ value: unknown }>(sql`select value from global_settings where key = ${key}`)

/** A tenant that a password opens. */
export interface OpenedTenant {
  name: string
  slug: string
  /** The tenant's value of the setting, or null. */
  value: unknown
}

const valueOf = (key: string): Sql =>
  sql`(select s.value from tenant_settings s where s.tenant_id = t.id and s.key = ${key}) as value`

/** Runs in the scope of the tenant. */
export const selectTenant = (db: Db, tenantId: string, key: string) =>
  db.one<OpenedTenant>(sql`
    select t.name, t.slug, ${valueOf(key)} from tenants t where t.id = ${tenantId} and t.deleted_at is null`)

export const selectEmail = (db: Db, accountId: number) =>
  db.one<{ email: string }>(sql`select email from accounts where id = ${accountId}`)

/** A user of the account, with its tenant. */
export interface OpenedMember extends OpenedTenant {
  username: string
  nickname: string
}

/** Runs in the scope of the account. */
export const selectMembers = (db: Db, accountId: number, key: string) =>
  db.many<OpenedMember>(sql`
    select u.username, u.nickname, t.name, t.slug, ${valueOf(key)}
    from users u
    join tenants t on t.id = u.tenant_id
    where u.account_id = ${accountId} and t.deleted_at is null
    limit 1000`)
