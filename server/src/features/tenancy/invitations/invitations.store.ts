import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, type Slice } from '../../../db/columns.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import { isStarting, templatesOf } from '../../../access/templates.sql.ts'
import { fold } from '../../../values/text.ts'
import type { Invitation } from './invitations.schemas.ts'

/** An invitation in a list. It has no link: only the answer that creates the link shows it. */
export type ListedInvitation = Omit<Invitation, 'link'>

const columns = (now: Date): Sql => sql`
  id, tenant_id, email, role_ids, ${isoTime('roles_expire_at')} as roles_expire_at, nickname, invited_by,
  case when status = 'pending' and expires_at <= ${now} then 'expired' else status end as status,
  ${isoTime('created_at')} as created_at, ${isoTime('expires_at')} as expires_at`

const ofStatus = (status: Invitation['status'] | undefined, now: Date): Sql => {
  if (status === undefined) return empty
  if (status === 'pending') return sql`and status = 'pending' and expires_at > ${now}`
  if (status === 'expired') {
    return sql`and (status = 'expired' or (status = 'pending' and expires_at <= ${now}))`
  }
  return sql`and status = ${status}`
}

export interface InvitationFilter {
  status: Invitation['status'] | undefined
  now: Date
}

/** Newest first. */
export const selectInvitations = (
  db: Db,
  tenantId: string,
  { status, now }: InvitationFilter,
  { limit, offset }: Slice,
) =>
  db.many<ListedInvitation>(sql`
    select ${columns(now)} from invitations
    where tenant_id = ${tenantId} ${ofStatus(status, now)}
    order by id desc limit ${limit} offset ${offset}`)

export const countInvitations = (db: Db, tenantId: string, { status, now }: InvitationFilter) =>
  db.one<{ count: number }>(sql`
    select count(*) as count from invitations where tenant_id = ${tenantId} ${ofStatus(status, now)}`)

/** Locks an open invitation until the transaction ends, also an expired one. */
export const selectOpenForUpdate = (db: Db, tenantId: string, id: number, now: Date) =>
  db.one<ListedInvitation>(sql`
    select ${columns(now)} from invitations
    where tenant_id = ${tenantId} and id = ${id} and status = 'pending'
    for update`)

/** Closes an expired invitation of an address, so that the tenant can open another one. */
export const updateExpired = (db: TransactionDb, tenantId: string, email: string, now: Date): void =>
  db.send(sql`
    update invitations set status = 'expired', token_hash = null, closed_at = expires_at
    where tenant_id = ${tenantId} and email_folded = ${fold(email)} and status = 'pending' and expires_at <= ${now}`)

export interface NewInvitation {
  tenantId: string
  email: string
  nickname: string
  roleIds: number[]
  rolesExpireAt?: Date | undefined
  inviterTenantId: string
  invitedBy: number
  /** True if the tenant was created together with this invitation, for its first administrator. */
  isFounding?: boolean
  tokenHash: Buffer
  isMailed: boolean
  now: Date
  expiresAt: Date
}

/** Can violate `invitations_open_key`. */
export const insertInvitation = (db: Db, row: NewInvitation) =>
  db.only<ListedInvitation>(sql`
    insert into invitations (tenant_id, email, email_folded, nickname, role_ids, roles_expire_at, inviter_tenant_id, invited_by, is_founding,
      token_hash, is_mailed, sent_on, created_at, expires_at)
    values (${row.tenantId}, ${row.email}, ${fold(row.email)}, ${row.nickname}, ${row.roleIds}, ${row.rolesExpireAt ?? null}, ${row.inviterTenantId},
      ${row.invitedBy}, ${row.isFounding ?? false}, ${row.tokenHash}, ${row.isMailed}, (${row.now}::timestamptz at time zone 'utc')::date, ${row.now},
      ${row.expiresAt})
    returning ${columns(row.now)}`)

export const updateLink = (
  db: Db,
  tenantId: string,
  id: number,
  {
    tokenHash,
    isMailed,
    now,
    expiresAt,
  }: Pick<NewInvitation, 'tokenHash' | 'isMailed' | 'now' | 'expiresAt'>,
) => {
  const today = sql`(${now}::timestamptz at time zone 'utc')::date`
  return db.one<ListedInvitation>(sql`
    update invitations
    set token_hash = ${tokenHash}, is_mailed = ${isMailed}, expires_at = ${expiresAt},
      sent_count = case when sent_on = ${today} then sent_count + 1 else 1 end, sent_on = ${today}
    where tenant_id = ${tenantId} and id = ${id}
    returning ${columns(now)}`)
}

/**
 * The number of links that the tenant has created on this UTC day, and whether sign-up created the tenant in the last
 * seven days.
 */
export const selectSent = (db: Db, tenantId: string, now: Date) =>
  db.only<{ count: number; is_new: boolean }>(sql`
    select
      (select coalesce(sum(sent_count), 0)::bigint from invitations
        where tenant_id = ${tenantId} and sent_on = (${now}::timestamptz at time zone 'utc')::date) as count,
      exists (select from tenants
        where id = ${tenantId} and founder_account_id is not null
          and created_at > ${now}::timestamptz - interval '7 days') as is_new`)

export const deleteMailsOfInvitation = (db: TransactionDb, tenantId: string, id: number): void =>
  db.send(sql`delete from mail_queue where invitation_tenant_id = ${tenantId} and invitation_id = ${id}`)

export const selectOpenOfAddress = (db: Db, tenantId: string, email: string) =>
  db.one<{ id: number }>(sql`
    select id from invitations where tenant_id = ${tenantId} and email_folded = ${fold(email)} and status = 'pending'`)

export const updateRevoked = (db: TransactionDb, tenantId: string, id: number, now: Date): void =>
  db.send(sql`
    update invitations set status = 'revoked', token_hash = null, closed_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`)

/** An open, unexpired invitation that a link names. */
export interface InvitationRow {
  id: number
  email: string
  nickname: string
  role_ids: number[]
  roles_expire_at: Date | null
  inviter_tenant_id: string
  invited_by: number
  is_founding: boolean
  is_mailed: boolean
}

const facts = sql`
  id, email, nickname, role_ids, roles_expire_at, inviter_tenant_id, invited_by, is_founding, is_mailed`

const isLiving = (tenantId: string, tokenHash: Buffer, now: Date): Sql => sql`
  tenant_id = ${tenantId} and token_hash = ${tokenHash} and status = 'pending' and expires_at > ${now}`

export const selectLiving = (db: Db, tenantId: string, tokenHash: Buffer, now: Date) =>
  db.one<InvitationRow>(sql`select ${facts} from invitations where ${isLiving(tenantId, tokenHash, now)}`)

/** Accepts the open invitation of a link. A second caller waits for the first one, and gets nothing. */
export const updateAccepted = (db: TransactionDb, tenantId: string, tokenHash: Buffer, now: Date) =>
  db.one<InvitationRow>(sql`
    update invitations set status = 'accepted', token_hash = null, closed_at = ${now}
    where ${isLiving(tenantId, tokenHash, now)}
    returning ${facts}`)

export const selectTenant = (db: Db, tenantId: string) =>
  db.one<{ id: string; name: string; status: number }>(sql`
    select id, name, status from tenants where id = ${tenantId} and deleted_at is null`)

export const selectInviter = (db: Db, tenantId: string, userId: number) =>
  db.one<{ name: string }>(sql`
    select coalesce(nullif(nickname, ''), username) as name from users
    where tenant_id = ${tenantId} and id = ${userId}`)

/** A role that an invitation gives, with its permission codes. */
export interface GivenRole {
  id: number
  name: string
  /** True for a template that every new user gets. */
  is_given: boolean
  /** True for the role that every inviter may give. */
  is_starting: boolean
  codes: string[]
}

/** The existing roles among the given ids, and the templates that every new user gets. */
export const selectGivenRoles = (db: Db, tenantId: string, roleIds: number[]) =>
  db.many<GivenRole>(sql`
    select m.id, m.name, m.given_to_new_users as is_given,
      m.given_to_new_users and ${isStarting} as is_starting,
      array(select p.code from template_permissions tp join permissions p on p.id = tp.permission_id
        where tp.template_id = m.id) as codes
    from ${templatesOf(tenantId)} and (m.given_to_new_users or m.id = any (${roleIds}::bigint[]))
    union all
    select r.id, r.name, false, false,
      array(select p.code from role_permissions rp join permissions p on p.id = rp.permission_id
        where rp.tenant_id = ${tenantId} and rp.role_id = r.id and p.removed_at is null)
    from roles r where r.tenant_id = ${tenantId} and r.id = any (${roleIds}::bigint[])
    order by id`)

/** Invitations that were closed at least 90 days ago. */
export const closedInvitations: ExpiredRows = {
  table: 'invitations',
  time: 'coalesce(closed_at, expires_at)',
  before: `now() - interval '90 days'`,
}
