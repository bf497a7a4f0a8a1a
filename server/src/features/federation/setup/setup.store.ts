import sql, { empty, type Sql } from 'sql-template-tag'
import type { GuestPart } from '../../../access/permissions.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import type { SetupLink } from './setup.schemas.ts'

const columns = (now: Date): Sql => sql`
  id, email, parts, connection_id, array_to_json(role_ids) as role_ids, may_activate,
  case when maker_tenant_id = tenant_id then created_by else 0 end as created_by,
  case when ended_at is null and expires_at > ${now} then 'open' else 'ended' end as status,
  (extract(epoch from expires_at - created_at) / 3600)::int as expires_in_hours,
  ${isoTime('created_at')} as created_at, ${isoTime('expires_at')} as expires_at, ${isoTime('last_used_at')} as last_used_at`

/** The newest links first; those that ended come last. */
export const selectLinks = (db: Db, tenantId: string, now: Date, limit: number) =>
  db.many<SetupLink>(sql`
    select ${columns(now)} from setup_links where tenant_id = ${tenantId}
    order by ended_at is null and expires_at > ${now} desc, created_at desc, id limit ${limit}`)

export const countOpen = (db: Db, tenantId: string, now: Date) =>
  db.only<{ count: number }>(sql`
    select count(*) as count from setup_links
    where tenant_id = ${tenantId} and ended_at is null and expires_at > ${now}`)

/** Links that ended count as well. */
export const countSince = (db: Db, tenantId: string, since: Date) =>
  db.only<{ count: number }>(
    sql`select count(*) as count from setup_links where tenant_id = ${tenantId} and created_at > ${since}`,
  )

export const isNamed = async (db: Db, tenantId: string, connectionId: string, now: Date): Promise<boolean> =>
  (
    await db.only<{ is_named: boolean }>(sql`
      select exists (
        select from setup_links where tenant_id = ${tenantId} and connection_id = ${connectionId}
          and ended_at is null and expires_at > ${now}) as is_named`)
  ).is_named

export interface NewSetupLink {
  tenantId: string
  id: string
  email: string
  tokenHash: Buffer
  parts: GuestPart[]
  connectionId: string | null
  roleIds: number[]
  mayActivate: boolean
  makerTenantId: string
  createdBy: number
  now: Date
  expiresAt: Date
}

export const insertLink = (db: Db, row: NewSetupLink) =>
  db.only<SetupLink>(sql`
    insert into setup_links (tenant_id, id, email, token_hash, parts, connection_id, role_ids, may_activate, maker_tenant_id,
      created_by, created_at, expires_at)
    values (${row.tenantId}, ${row.id}, ${row.email}, ${row.tokenHash}, ${row.parts}::text[], ${row.connectionId},
      ${row.roleIds}::bigint[], ${row.mayActivate}, ${row.makerTenantId}, ${row.createdBy}, ${row.now}, ${row.expiresAt})
    returning ${columns(row.now)}`)

export const selectTenantName = (db: Db, tenantId: string) =>
  db.only<{ name: string }>(sql`select name from tenants where id = ${tenantId}`)

/** The facts about a link that decide its end, and what ends with it. */
export interface LinkRow {
  id: string
  email: string
  connection_id: string | null
  is_own_connection: boolean
  scim_account_id: number | null
  scim_role_id: number | null
  is_activated: boolean
  maker_tenant_id: string
  created_by: number
  tenant_name: string
  /** True before its time has passed, in an enabled tenant. */
  is_living: boolean
}

const facts = (now: Date): Sql => sql`
  l.id, l.email, l.connection_id, l.is_own_connection, l.scim_account_id, l.scim_role_id,
  l.activated_at is not null or exists (
    select from connections c where c.tenant_id = l.tenant_id and c.id = l.connection_id and c.status = 'active'
  ) as is_activated, l.maker_tenant_id, l.created_by, t.name as tenant_name,
  l.expires_at > ${now} and t.status = 1 and t.deleted_at is null as is_living`

/** A link that has not ended. */
export const selectLinkOfToken = (db: Db, tenantId: string, tokenHash: Buffer, now: Date) =>
  db.one<LinkRow>(sql`
    select ${facts(now)} from setup_links l join tenants t on t.id = l.tenant_id
    where l.tenant_id = ${tenantId} and l.token_hash = ${tokenHash} and l.ended_at is null`)

/** Locks a link that has not ended until the transaction ends. */
export const selectLinkForUpdate = (db: Db, tenantId: string, id: string, now: Date) =>
  db.one<LinkRow>(sql`
    select ${facts(now)} from setup_links l join tenants t on t.id = l.tenant_id
    where l.tenant_id = ${tenantId} and l.id = ${id} and l.ended_at is null for update of l`)

export interface Unended {
  tenant_id: string
  id: string
  /** With microseconds, which a Date would lose. */
  until: string
}

/** Links of all tenants that have not ended, behind the last one of the round before. Those that end first come first. */
export const selectUnended = (db: Db, last: Unended | undefined, limit: number) =>
  db.many<Unended>(sql`
    select tenant_id, id, expires_at::text as until from setup_links
    where ended_at is null ${last ? sql`and (expires_at, id) > (${last.until}::timestamptz, ${last.id}::uuid)` : empty}
    order by expires_at, id limit ${limit}`)

/** Ends a link, with the tokens of its guests, its e-mail, its codes and its tests. */
export const updateEnded = (db: TransactionDb, tenantId: string, id: string, now: Date): void => {
  db.send(sql`update setup_links set ended_at = ${now} where tenant_id = ${tenantId} and id = ${id}`)
  db.send(sql`delete from setup_guests where tenant_id = ${tenantId} and link_id = ${id}`)
  db.send(sql`delete from mail_queue where setup_link_id = ${id}`)
  db.send(sql`delete from email_codes where setup_link_id = ${id}`)
  db.send(sql`delete from sso_attempts where tenant_id = ${tenantId} and interaction_id = ${id} and is_test`)
}

export const insertGuest = (
  db: TransactionDb,
  tenantId: string,
  row: { tokenHash: Buffer; linkId: string; now: Date; expiresAt: Date },
): void => {
  db.send(sql`
    insert into setup_guests (tenant_id, token_hash, link_id, expires_at)
    values (${tenantId}, ${row.tokenHash}, ${row.linkId}, ${row.expiresAt})`)
  db.send(
    sql`update setup_links set last_used_at = ${row.now} where tenant_id = ${tenantId} and id = ${row.linkId}`,
  )
}

export const updateDirectoryOf = (
  db: TransactionDb,
  tenantId: string,
  id: string,
  made: { accountId: number | null; roleId: number | null },
): void =>
  db.send(sql`
    update setup_links set scim_account_id = ${made.accountId}, scim_role_id = ${made.roleId}
    where tenant_id = ${tenantId} and id = ${id}`)

/** Expired tokens of guests, and links that ended long ago. */
export const pastSetups: ExpiredRows[] = [
  { table: 'setup_guests', time: 'expires_at', before: 'now()' },
  {
    table: 'setup_links',
    time: 'expires_at',
    before: `now() - interval '90 days'`,
    where: 'ended_at is not null',
  },
]
