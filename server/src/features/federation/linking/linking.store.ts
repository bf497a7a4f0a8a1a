import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isOwned } from '../../../db/columns.ts'
import { fold, searchedText } from '../../../values/text.ts'

/** The fields of a connection that decide about its persons. */
export interface SignInConnection {
  id: string
  name: string
  type: 'oidc' | 'saml'
  status: 'draft' | 'active' | 'disabled'
  jit: boolean
  default_role_ids: number[]
  trust_mfa: boolean
  attributes: { claim: string; key: string }[]
  session_seconds: number
  /** Whether a directory pushes the users of the connection. */
  has_directory: boolean
  tenant_name: string
  tenant_status: 0 | 1
}

export const selectSignInConnection = (db: Db, tenantId: string, id: string) =>
  db.one<SignInConnection>(sql`
    select c.id, c.name, c.type, c.status, c.jit, array_to_json(c.default_role_ids) as default_role_ids, c.trust_mfa,
      c.attributes, c.session_seconds, c.scim_account_id is not null as has_directory, t.name as tenant_name, t.status as tenant_status
    from connections c
    join tenants t on t.id = c.tenant_id
    where c.tenant_id = ${tenantId} and c.id = ${id}`)

/** A user of the tenant in scope, with the account's fields that decide about a link. */
export interface LinkedUser {
  user_id: number
  account_id: number
  username: string
  status: 0 | 1
  email: string
}

/** The user linked to a connection's subject. */
export const selectLinked = (db: Db, tenantId: string, connectionId: string, subject: string) =>
  db.one<LinkedUser>(sql`
    select u.id as user_id, u.account_id, u.username, u.status, u.email
    from sso_links l
    join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
    where l.tenant_id = ${tenantId} and l.connection_id = ${connectionId} and l.subject = ${subject}`)

/** The account of an address, and its user in the tenant in scope. */
export interface AddressedAccount {
  account_id: number
  /** The address as the account spells it. */
  email: string
  has_password: boolean
  /** Whether the person has proved the mailbox, and chose the password or has none. */
  is_owned: boolean
  user_id: number | null
  username: string | null
  status: 0 | 1 | null
  /** Whether the user is linked to a subject of the connection. */
  is_linked: boolean
}

export const selectAddressed = (db: Db, tenantId: string, connectionId: string, email: string) =>
  db.one<AddressedAccount>(sql`
    select a.id as account_id, a.email, a.password_scheme <> 'none' as has_password,
      ${isOwned} as is_owned,
      u.id as user_id, u.username, u.status,
      exists (
        select 1 from sso_links l
        where l.tenant_id = ${tenantId} and l.connection_id = ${connectionId} and l.user_id = u.id
      ) as is_linked
    from accounts a
    left join users u on u.account_id = a.id and u.tenant_id = ${tenantId}
    where a.email_folded = ${fold(email)}`)

/** Whether the tenant has verified a domain and assigned it to the connection. */
export const selectAssignedDomain = (db: Db, tenantId: string, connectionId: string, domain: string) =>
  db.one<{ id: number }>(sql`
    select id from domains
    where tenant_id = ${tenantId} and domain = ${domain} and status = 'verified' and connection_id = ${connectionId}`)

export interface NewLink {
  tenantId: string
  connectionId: string
  subject: string
  userId: number
  /** How the person proved the account. */
  proof: string
  now: Date
}

export const insertLink = (db: TransactionDb, link: NewLink): void =>
  db.send(sql`
    insert into sso_links (tenant_id, connection_id, subject, user_id, proof, created_at)
    values (${link.tenantId}, ${link.connectionId}, ${link.subject}, ${link.userId}, ${link.proof}, ${link.now})`)

/** Stores the time of a sign-in by the link. */
export const updateUsed = (
  db: TransactionDb,
  { tenantId, connectionId, subject, now }: Pick<NewLink, 'tenantId' | 'connectionId' | 'subject' | 'now'>,
): void => {
  db.send(sql`
    update sso_links set last_used_at = ${now}
    where tenant_id = ${tenantId} and connection_id = ${connectionId} and subject = ${subject}`)
  db.send(
    sql`update connections set last_used_at = ${now} where tenant_id = ${tenantId} and id = ${connectionId}`,
  )
}

/** The roles that a connection maps to the groups of the claim. */
export const selectMapped = (db: Db, tenantId: string, connectionId: string, groups: string[]) =>
  db.many<{ role_id: number }>(sql`
    select distinct role_id from group_mappings
    where tenant_id = ${tenantId} and connection_id = ${connectionId} and group_name = any (${groups}::text[])`)

/** The roles among `roleIds` that exist and have no platform-only permission. */
export const selectGivable = (db: Db, tenantId: string, roleIds: number[], platformAdminId: number) =>
  db.many<{ id: number; name: string }>(sql`
    select id, name from role_templates where id = any (${roleIds}::bigint[]) and id <> ${platformAdminId}
    union all
    select r.id, r.name from roles r
    where r.tenant_id = ${tenantId} and r.id = any (${roleIds}::bigint[]) and not exists (
      select 1 from role_permissions p where p.tenant_id = ${tenantId} and p.role_id = r.id and p.platform_only)`)

/** Adds roles to the roles of every new user. */
export const insertRoles = (db: TransactionDb, tenantId: string, userId: number, roleIds: number[]): void => {
  if (roleIds.length === 0) return
  db.send(sql`
    insert into user_roles (tenant_id, user_id, role_id, source)
    select ${tenantId}::uuid, ${userId}::bigint, unnest(${roleIds}::bigint[]), 'default'
    on conflict do nothing`)
}

export const selectAccountOf = (db: Db, tenantId: string, userId: number) =>
  db.only<{ account_id: number }>(
    sql`select account_id from users where tenant_id = ${tenantId} and id = ${userId}`,
  )

export const updateNickname = (
  db: TransactionDb,
  user: Parameters<typeof searchedText>[0] & { tenant_id: string; id: number },
  now: Date,
): void =>
  db.send(sql`
    update users set nickname = ${user.nickname}, search_folded = ${searchedText(user)}, updated_at = ${now}
    where tenant_id = ${user.tenant_id} and id = ${user.id}`)

export const selectEpoch = (db: Db, accountId: number) =>
  db.only<{ session_epoch: number }>(sql`select session_epoch from accounts where id = ${accountId}`)

/** Locks an account, and returns the epoch of its sessions. */
export const selectEpochForUpdate = (db: Db, accountId: number) =>
  db.one<{ session_epoch: number }>(
    sql`select session_epoch from accounts where id = ${accountId} for no key update`,
  )

/** The provider, if it brings people without an account. */
export const selectProviderOfNew = (db: Db, id: string) =>
  db.one<{ id: string }>(sql`select id from providers where id = ${id} and allow_new`)
