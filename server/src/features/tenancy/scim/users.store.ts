import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import { fold } from '../../../values/text.ts'
import { conditionOf, isIndexed, userSql } from './filter.sql.ts'
import type { Predicate } from './predicates.ts'
import type { UserValue } from './user-values.ts'
import type { Raw } from './values.ts'

export interface Directory {
  connection_id: string
}

/** Finds no directory that a guest of a setup link has created, until the connection of the link is activated. */
export const selectDirectory = (db: Db, tenantId: string, accountId: number) =>
  db.one<Directory>(sql`
    select c.id as connection_id from connections c
    where c.tenant_id = ${tenantId} and c.scim_account_id = ${accountId} and not exists (
      select from setup_links l
      where l.tenant_id = ${tenantId} and l.scim_account_id = ${accountId} and l.activated_at is null)`)

/** Keeps why a change was refused. Within ten seconds, the first refusal stays: a failing push has thousands. */
export const updateRefusal = (
  db: Db,
  tenantId: string,
  accountId: number,
  { message, now }: { message: string; now: Date },
) =>
  db.run(sql`
    update connections set directory_error = ${message}, directory_error_at = ${now}
    where tenant_id = ${tenantId} and scim_account_id = ${accountId}
      and (directory_error_at is null or directory_error_at < ${now}::timestamptz - interval '10 seconds')`)

export const selectAssignedDomain = (db: Db, tenantId: string, accountId: number, domain: string) =>
  db.one<{ id: number }>(sql`
    select d.id from domains d
    join connections c on c.tenant_id = d.tenant_id and c.id = d.connection_id
    where d.tenant_id = ${tenantId} and d.domain = ${domain} and d.status = 'verified' and c.scim_account_id = ${accountId}`)

export interface UserRow {
  id: string
  user_id: number | null
  external_id: string | null
  user_name: string
  email: string
  display_name: string
  active: boolean
  name: Raw
  emails: Raw[]
  extension: Raw
  texts: Record<string, string>
  created_at: string
  updated_at: string
}

export interface ListedRow extends UserRow {
  groups: { value: string; display: string }[]
}

const columns = sql`s.id, s.user_id, s.external_id, s.user_name, s.email, s.display_name, s.active, s.name, s.emails, s.extension, s.texts,
  ${isoTime('s.created_at')} as created_at, ${isoTime('s.updated_at')} as updated_at`

const withGroups = sql`${columns}, coalesce((
    select json_agg(json_build_object('value', g.id, 'display', g.display_name) order by g.created_at, g.id)
    from scim_group_members m
    join scim_groups g on g.tenant_id = m.tenant_id and g.id = m.group_id
    where m.tenant_id = s.tenant_id and m.member_id = s.id), '[]') as groups`

const matching = (tenantId: string, filter: Predicate | undefined): Sql =>
  sql`from scim_users s where s.tenant_id = ${tenantId} ${conditionOf(userSql, tenantId, filter)}`

const read = (filter: Predicate | undefined, statement: Sql): Sql =>
  isIndexed(filter) ? statement : takesLong(statement)

export const selectUsers = (
  db: Db,
  tenantId: string,
  filter: Predicate | undefined,
  { limit, offset }: Slice,
) => {
  const ids = sql`
    select s.id ${matching(tenantId, filter)} order by s.created_at, s.id limit ${limit} offset ${offset}`
  return db.many<ListedRow>(
    read(
      filter,
      sql`
    select ${withGroups} from scim_users s
    where s.tenant_id = ${tenantId} and s.id = any (array(${ids}))
    order by s.created_at, s.id`,
    ),
  )
}

export const countUsers = (db: Db, tenantId: string, filter: Predicate | undefined) =>
  db.only<{ count: number }>(read(filter, sql`select count(*) as count ${matching(tenantId, filter)}`))

export const selectUser = (db: Db, tenantId: string, id: string) =>
  db.one<ListedRow>(
    sql`select ${withGroups} from scim_users s where s.tenant_id = ${tenantId} and s.id = ${id}`,
  )

/** The tenant's user of an address, and whether that user already is a resource or a break-glass user. */
export const selectUserOfAddress = (db: Db, tenantId: string, email: string) =>
  db.one<{ account_id: number; user_id: number | null; is_kept: boolean }>(sql`
    select a.id as account_id, u.id as user_id, exists (
        select 1 from scim_users s where s.tenant_id = ${tenantId} and s.user_id = u.id
      ) or exists (
        select 1 from sso_exemptions e where e.tenant_id = ${tenantId} and e.user_id = u.id
      ) as is_kept
    from accounts a
    left join users u on u.account_id = a.id and u.tenant_id = ${tenantId}
    where a.email_folded = ${fold(email)}`)

/** The exemption of a break-glass user, whom no directory may disable or delete. */
export const selectExemption = (db: Db, tenantId: string, userId: number) =>
  db.one<{ user_id: number }>(sql`
    select user_id from sso_exemptions where tenant_id = ${tenantId} and user_id = ${userId}`)

export interface Row {
  tenantId: string
  id: string
  value: UserValue
  /** The texts that filters compare. */
  folded: unknown
}

interface NewRow extends Row {
  directory: Directory
  userId: number | null
}

/**
 * Can violate `scim_users_user_name_key`, `scim_users_external_id_key`, `scim_users_email_key` and
 * `scim_users_user_id_key`.
 */
export const insertUser = (
  db: TransactionDb,
  { tenantId, id, directory, userId, value, folded }: NewRow,
  now: Date,
): void =>
  db.send(sql`
    insert into scim_users (tenant_id, id, connection_id, user_id, external_id, user_name, user_name_folded, email,
      email_folded, display_name, active, name, emails, extension, texts, folded, created_at, updated_at)
    values (${tenantId}, ${id}, ${directory.connection_id}, ${userId}, ${value.externalId}, ${value.userName},
      ${fold(value.userName)}, ${value.email}, ${fold(value.email)}, ${value.displayName}, ${value.active},
      ${JSON.stringify(value.name)}, ${JSON.stringify(value.emails)}, ${JSON.stringify(value.extension)},
      ${JSON.stringify(value.texts)}, ${JSON.stringify(folded)}, ${now}, ${now})`)

/** Can violate the same constraints as `insertUser`. */
export const updateUser = (db: Db, { tenantId, id, value, folded }: Row, now: Date) =>
  db.run(sql`
    update scim_users set external_id = ${value.externalId}, user_name = ${value.userName},
      user_name_folded = ${fold(value.userName)}, email = ${value.email}, email_folded = ${fold(value.email)},
      display_name = ${value.displayName}, active = ${value.active}, name = ${JSON.stringify(value.name)},
      emails = ${JSON.stringify(value.emails)}, extension = ${JSON.stringify(value.extension)},
      texts = ${JSON.stringify(value.texts)},
      folded = ${JSON.stringify(folded)}, updated_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`)

export const deleteUserRow = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`delete from scim_users where tenant_id = ${tenantId} and id = ${id}`)
