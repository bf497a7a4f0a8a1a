/**
 * Reads all data stored about a person. Each statement names its columns, so that a new column is omitted until its
 * data is reviewed.
 */
import sql, { type Sql } from 'sql-template-tag'
import { templatesOf } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, takesLong } from '../../../db/columns.ts'
import { settingsOf } from '../../../db/scope.ts'
import type * as dto from './personal-data.schemas.ts'
import { heldRoles } from '../../../access/held-roles.sql.ts'

/** Rows per read, which bounds the memory of every export. */
export const batchRows = 500

const nobody = '00000000-0000-0000-0000-000000000000'

export const selectAccount = (db: Db, accountId: number) =>
  db.one<dto.ExportedAccount & { email_folded: string }>(sql`
    select a.person, a.email, a.email_folded, coalesce(a.proved_email = a.email_folded, false) as email_confirmed,
      a.is_registered, a.has_own_password, json_build_object('language', coalesce(a.language, '')) as settings,
      (select count(*) from recovery_codes c where c.account_id = a.id) as recovery_codes_left,
      ${isoTime('a.created_at')} as created_at, ${isoTime('a.updated_at')} as updated_at
    from accounts a where a.id = ${accountId}`)

/** The devices of an account: at most one for each family of browsers and systems. */
export const selectDevices = (db: Db, accountId: number) =>
  db.many<dto.ExportedDevice>(sql`
    select ${isoTime('last_seen_at')} as last_seen_at from account_devices
    where account_id = ${accountId} order by account_devices.last_seen_at`)

const ofSession = sql`s.id, ${isoTime('s.created_at')} as created_at, ${isoTime('s.last_used_at')} as last_used_at,
  ${isoTime('s.expires_at')} as expires_at, s.ip, s.user_agent, array_to_json(array(
    select case when one like 'fed:%' then 'fed' else one end from unnest(s.amr) as proofs(one))) as proofs`

export const selectSignInsAfter = (db: Db, accountId: number, after?: { id: string }) =>
  db.many<dto.ExportedSignIn>(sql`
    select ${ofSession} from sign_ins s
    where s.account_id = ${accountId} and s.id > ${after?.id ?? nobody} order by s.id limit ${batchRows}`)

const invitation = (now: Date): Sql => sql`
  i.id, json_build_object('id', t.id, 'name', t.name, 'slug', t.slug) as tenant, i.email, i.nickname,
  case when i.status = 'pending' and i.expires_at <= ${now} then 'expired' else i.status end as status,
  ${isoTime('i.created_at')} as created_at, ${isoTime('i.expires_at')} as expires_at,
  ${isoTime('i.closed_at')} as closed_at`

/**
 * The invitations of an address in all existing tenants. Runs as the role that reads only one address's invitations.
 */
export const selectInvitationsAfter = (
  db: TransactionDb,
  emailFolded: string,
  now: Date,
  after?: dto.ExportedInvitation,
) => {
  db.send(settingsOf({ 'app.email_folded': emailFolded }))
  return db.many<dto.ExportedInvitation>(sql`
    select ${invitation(now)} from invitations i
    join tenants t on t.id = i.tenant_id
    where i.email_folded = ${emailFolded} and t.deleted_at is null
      and (i.tenant_id, i.id) > (${after?.tenant.id ?? nobody}::uuid, ${after?.id ?? 0}::bigint)
    order by i.tenant_id, i.id limit ${batchRows}`)
}

/** The invitations of a user's address in the tenant in scope. */
export const selectInvitationsOfUserAfter = (
  db: Db,
  { tenantId, userId }: ExportedUserId,
  now: Date,
  after?: dto.ExportedInvitation,
) =>
  db.many<dto.ExportedInvitation>(sql`
    select ${invitation(now)} from users u
    join accounts a on a.id = u.account_id
    join invitations i on i.tenant_id = u.tenant_id and i.email_folded = a.email_folded
    join tenants t on t.id = i.tenant_id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and i.id > ${after?.id ?? 0}
    order by i.id limit ${batchRows}`)

export interface ExportedUserId {
  tenantId: string
  userId: number
}

/** The users of an account in all existing tenants, in the order of the tenants. Runs in the scope of the account. */
export const selectUsersAfter = (db: Db, accountId: number, after?: ExportedUserId) =>
  db.many<ExportedUserId>(
    takesLong(sql`
      select u.tenant_id as "tenantId", u.id as "userId" from users u
      join tenants t on t.id = u.tenant_id
      where u.account_id = ${accountId} and t.deleted_at is null and u.tenant_id > ${after?.tenantId ?? nobody}
      order by u.tenant_id limit ${batchRows}`),
  )

export const selectTenant = (db: Db, tenantId: string) =>
  db.one<dto.ExportedTenant>(
    sql`select id, name, slug from tenants where id = ${tenantId} and deleted_at is null`,
  )

export const selectUser = (db: Db, { tenantId, userId }: ExportedUserId) =>
  db.one<dto.ExportedUser>(sql`
    select id, username, email, nickname, avatar, status, ${isoTime('last_login_at')} as last_login, last_ip,
      coalesce(last_seen_on::text, '') as last_seen_on, coalesce(previously_seen_on::text, '') as previously_seen_on,
      ${isoTime('created_at')} as created_at, ${isoTime('updated_at')} as updated_at
    from users where tenant_id = ${tenantId} and id = ${userId}`)

/** The roles of a user. Their number is limited, so the list has no pages. */
export const selectRoles = (db: Db, { tenantId, userId }: ExportedUserId) => {
  const held = sql`(select role_id from ${heldRoles} r where tenant_id = ${tenantId} and user_id = ${userId})`
  return db.many<{ id: number; name: string }>(sql`
    select m.id, m.name from ${templatesOf(tenantId)} and m.id in ${held}
    union all
    select r.id, r.name from roles r where r.tenant_id = ${tenantId} and r.id in ${held}
    order by id`)
}

export const selectSessionsAfter = (
  db: Db,
  { tenantId, userId }: ExportedUserId,
  after?: dto.ExportedSession,
) =>
  db.many<dto.ExportedSession>(sql`
    select ${ofSession}, array_to_json(s.scopes) as scopes,
      (select json_build_object('id', p.id, 'name', p.name) from applications p where p.id = s.application_id) as application
    from sessions s
    where s.tenant_id = ${tenantId} and s.user_id = ${userId} and s.id > ${after?.id ?? nobody}
    order by s.id limit ${batchRows}`)

export const selectConsentsAfter = (
  db: Db,
  { tenantId, userId }: ExportedUserId,
  after?: dto.ExportedConsent,
) =>
  db.many<dto.ExportedConsent>(sql`
    select g.id, a.name as application, g.host, array_to_json(g.scopes) as scopes,
      coalesce(r.identifier, '') as resource, ${isoTime('g.created_at')} as created_at
    from grants g
    join applications a on a.id = g.application_id
    left join resources r on r.id = g.resource_id
    where g.tenant_id = ${tenantId} and g.user_id = ${userId} and g.id > ${after?.id ?? 0}
    order by g.id limit ${batchRows}`)

/** A user has up to 100 settings. */
export const selectSettings = (db: Db, { tenantId, userId }: ExportedUserId) =>
  db.many<dto.ExportedSetting>(sql`
    select key, value, ${isoTime('updated_at')} as updated_at from user_settings
    where tenant_id = ${tenantId} and user_id = ${userId} order by key`)

export const selectNotificationsAfter = (
  db: Db,
  { tenantId, userId }: ExportedUserId,
  after?: dto.ExportedNotification,
) =>
  db.many<dto.ExportedNotification>(
    takesLong(sql`
      select id, title, content, type, is_read, ${isoTime('created_at')} as created_at
      from notifications
      where tenant_id = ${tenantId} and user_id = ${userId} and id > ${after?.id ?? 0}
      order by id limit ${batchRows}`),
  )
