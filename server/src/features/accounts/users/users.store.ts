import sql, { raw, type Sql } from 'sql-template-tag'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { lockingAccountOfUser } from '../../../db/account-lock.ts'
import { countUpTo, isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import { inAccountScope, settingsOf } from '../../../db/scope.ts'
import { codesGiven } from '../../../access/templates.sql.ts'
import { after, columns, inOrder, ofStatus, patternOf, type UserFilter } from './listed-users.sql.ts'
import { fold, searchedText } from '../../../values/text.ts'
import type { Security, User } from './users.schemas.ts'
import { heldRoles, warnAt } from '../../../access/held-roles.sql.ts'

/** A page up to this offset counts as near. */
const nearMax = 1000

/** A page of users. An index skips the offset, so only the page's users are read. */
export const selectUsers = (db: Db, tenantId: string, filter: UserFilter, { limit, offset }: Slice) => {
  const page = sql`
    select ${columns} from users
    where tenant_id = ${tenantId} and id = any (array(
      select id from users where tenant_id = ${tenantId} ${ofStatus(filter.status)} ${after(filter)}
      ${inOrder(filter)} limit ${limit} offset ${offset}))
    ${inOrder(filter)}`
  return db.many<User>(offset < nearMax && filter.status === undefined ? page : takesLong(page))
}

/** Counts all users of a tenant. A million takes a tenth of a second. */
export const countUsers = (db: Db, tenantId: string) =>
  db.one<{ count: number }>(takesLong(sql`select count(*) as count from users where tenant_id = ${tenantId}`))

/** The number of users of a status, at most `max` + 1. */
export const countUsersOfStatus = (db: Db, tenantId: string, status: UserFilter['status'], max: number) =>
  db.one<{ count: number }>(
    takesLong(countUpTo(max, sql`from users where tenant_id = ${tenantId} ${ofStatus(status)} order by id`)),
  )

/** Users by their ids, in any order. */
export const selectUsersByIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<User>(sql`select ${columns} from users where tenant_id = ${tenantId} and id = any (${ids})`)

/** The person's id for each user, the same in all their tenants. */
export const selectPersonsOfUsers = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number; person: string }>(sql`
    select u.id, a.person from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = any (${ids}::bigint[])`)

/**
 * A search by keyword, which returns only ids. Its statements run as `tenantry_search`, which sees only the searched
 * columns of users. Each statement names the tenant (decision 0008).
 */
export type SearchFilter = UserFilter & { search: string }

/** The number of users that a search along the key reads first. It takes a quarter of a millisecond. */
export const nearUsers = 400

/**
 * True if the index of keywords can help, which needs three letters or digits in a row. For other keywords PostgreSQL
 * would read the whole index, for seconds. The database's locale decides which other letters are indexed.
 */
export const isIndexed = (search: string): boolean => /[a-z0-9]{3}/.test(fold(search))

/**
 * Makes PostgreSQL search along the key, in list order. The role cannot see the statistics, so PostgreSQL would not
 * choose this plan.
 */
export const goAlongKey = (db: Db) =>
  db.run(settingsOf({ enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off' }))

/** Makes PostgreSQL find all matches with the index of keywords, sort them, and plan for the given keyword. */
export const goAlongIndex = (db: Db) =>
  db.run(
    settingsOf({
      plan_cache_mode: 'force_custom_plan',
      enable_bitmapscan: 'on',
      enable_sort: 'on',
      enable_indexscan: 'off',
      enable_indexonlyscan: 'off',
    }),
  )

/** Makes PostgreSQL plan for the given keyword: it then reuses no plan that follows the index. */
export const planAnew = (db: Db) => db.run(settingsOf({ plan_cache_mode: 'force_custom_plan' }))

/** The first users of the list: the numbers of searched and of matching users, and the page if it is among them. */
export interface NearMatches {
  seen: number
  hits: number
  ids: number[]
}

export const selectNear = (
  db: Db,
  tenantId: string,
  { search, ...filter }: SearchFilter,
  { limit, offset }: Slice,
) => {
  const start = Math.min(offset, nearUsers)
  return db.only<NearMatches>(sql`
    select count(*) as seen, count(*) filter (where is_match) as hits,
      coalesce(to_json((array_agg(id ${inOrder(filter)}) filter (where is_match))[${start + 1}::int:${start + limit}::int]), '[]') as ids
    from (
      select id, search_folded like ${patternOf(search)} as is_match from users
      where tenant_id = ${tenantId} ${ofStatus(filter.status)} ${after(filter)}
      ${inOrder(filter)} limit ${nearUsers}
    ) as near`)
}

const found = (tenantId: string, { search, status }: SearchFilter): Sql => sql`
  from users where tenant_id = ${tenantId} and search_folded like ${patternOf(search)} ${ofStatus(status)}`

/** The number of matches, at most `max` + 1, and a page of them, from one scan of the index. */
export const selectFound = (
  db: Db,
  tenantId: string,
  filter: SearchFilter,
  { limit, offset, max }: Slice & { max: number },
) =>
  db.only<{ count: number; ids: number[] }>(sql`
    select count(*) as count,
      coalesce(to_json((array_agg(id ${inOrder(filter)}))[${offset + 1}::int:${offset + limit}::int]), '[]') as ids
    from (select id ${found(tenantId, filter)} ${inOrder(filter)} limit ${max + 1}) as matches`)

/** The ids of a page of matches. */
export const selectFoundIds = (db: Db, tenantId: string, filter: SearchFilter, { limit, offset }: Slice) =>
  db.many<{ id: number }>(sql`
    select id ${found(tenantId, filter)} ${after(filter)}
    ${inOrder(filter)} limit ${limit} offset ${offset}`)

/** The number of matches, at most `max` + 1. */
export const countFound = (db: Db, tenantId: string, filter: SearchFilter, max: number) =>
  db.one<{ count: number }>(countUpTo(max, sql`${found(tenantId, filter)} ${inOrder(filter)}`))

/** Excludes service accounts, of which a tenant has at most 1,000. */
const ofUsers = (tenantId: string): Sql =>
  sql`and user_id <> all (array(select id from service_accounts where tenant_id = ${tenantId}))`

/** The users who have a role, by id, each fetched by key. */
export const selectUsersOfRole = (
  db: Db,
  tenantId: string,
  { roleId, afterId = 0 }: { roleId: number; afterId?: number | undefined },
  { limit, offset }: Slice,
) =>
  db.many<User>(
    takesLong(sql`
      select listed.*
      from (
        select user_id from ${heldRoles} r
        where tenant_id = ${tenantId} and role_id = ${roleId} and user_id > ${afterId} ${ofUsers(tenantId)}
        order by user_id limit ${limit} offset ${offset}
      ) as held,
      lateral (
        select ${columns} from users where tenant_id = ${tenantId} and id = held.user_id limit 1
      ) as listed
      order by held.user_id`),
  )

/** The number of users who have a role, at most `max` + 1. */
export const countUsersOfRole = (db: Db, tenantId: string, roleId: number, max: number) =>
  db.one<{ count: number }>(
    takesLong(
      countUpTo(
        max,
        sql`from ${heldRoles} r where tenant_id = ${tenantId} and role_id = ${roleId} ${ofUsers(tenantId)}`,
      ),
    ),
  )

/** Counts the users of each role, up to `max`, with one index scan per role. */
export const countUsersOfRoles = (db: Db, tenantId: string, roleIds: number[], max: number) =>
  db.many<{ role_id: number; count: number }>(
    takesLong(sql`
      select asked.role_id, held.count
      from unnest(${roleIds}::bigint[]) as asked (role_id),
      lateral (
        select count(*) as count from (
          select 1 from ${heldRoles} r
          where tenant_id = ${tenantId} and role_id = asked.role_id ${ofUsers(tenantId)} limit ${max}
        ) as counted
      ) as held`),
  )

export const selectUser = (db: Db, tenantId: string, id: number) =>
  db.one<User>(sql`select ${columns} from users where tenant_id = ${tenantId} and id = ${id}`)

/** The security of a user's account. The address is that of the user's last sign-in to this tenant. */
export const selectSecurity = (db: Db, tenantId: string, id: number) =>
  db.one<Omit<Security, 'factors' | 'missing_permissions'> & { account_id: number }>(sql`
    select u.account_id, coalesce(a.proved_email = a.email_folded, false) as email_confirmed,
      ${isoTime('u.created_at')} as created_at, u.last_ip,
      coalesce((
        select json_agg(json_build_object('id', c.id, 'name', c.name, 'linked_at', ${isoTime('l.created_at')},
          'last_used_at', ${isoTime('l.last_used_at')}) order by l.created_at, c.id)
        from sso_links l
        join connections c on c.tenant_id = l.tenant_id and c.id = l.connection_id
        where l.tenant_id = u.tenant_id and l.user_id = u.id
      ), '[]') as connections,
      (
        select json_build_object('id', c.id, 'name', c.name, 'pushed_at', ${isoTime('p.updated_at')})
        from scim_users p
        join connections c on c.tenant_id = p.tenant_id and c.id = p.connection_id
        where p.tenant_id = u.tenant_id and p.user_id = u.id
      ) as directory
    from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${id}`)

export interface UserForUpdate extends User {
  account_id: number
  created_at: string
  /** The administrators' status while the directory's state is inactive; else null. */
  status_behind: 0 | 1 | null
}

export const lockAccountOfUser = (db: Db, tenantId: string, id: number) =>
  db.one(lockingAccountOfUser(tenantId, id))

/** Locks the user until the transaction ends. */
export const selectUserForUpdate = (db: Db, tenantId: string, id: number) =>
  db.one<UserForUpdate>(sql`
    select ${columns}, account_id, status_behind, ${isoTime('created_at')} as created_at from users where tenant_id = ${tenantId} and id = ${id} for update`)

export interface NewUser {
  tenantId: string
  email: string
  username: string
  nickname: string
  status: number
  /** Whether the person must change the password. */
  isExpired?: boolean
}

export interface AddedUser extends User {
  /** The permission codes of the templates that new users get, without those of the starting role. */
  given: string[]
}

/**
 * Adds an account, its user and the templates of a new user, in one statement. Can violate `accounts_email_key` and
 * `users_tenant_id_username_key`.
 */
export const insertUser = (db: Db, user: NewUser, password: StoredPassword, now: Date) =>
  db.only<AddedUser>(sql`
    with account as (
      insert into accounts (email, email_folded, password_hash, password_scheme, password_expired_at, created_at, updated_at)
      values (${user.email}, ${fold(user.email)}, ${password.password_hash}, ${password.password_scheme},
        ${user.isExpired ? now : null}, ${now}, ${now})
      returning id
    ), added as (
      insert into users
        (tenant_id, account_id, email, username, username_folded, nickname, search_folded, status, created_at, updated_at)
      select ${user.tenantId}::uuid, account.id, ${user.email}, ${user.username}, ${fold(user.username)},
        ${user.nickname}, ${searchedText(user)}, ${user.status}::smallint, ${now}::timestamptz, ${now}::timestamptz
      from account
      returning *
    ), given as (
      insert into user_roles (tenant_id, user_id, role_id, source)
      select added.tenant_id, added.id, m.id, 'default' from added, role_templates m where m.given_to_new_users
    )
    select ${columns}, array(${codesGiven}) as given
    from added`)

export interface NewMember extends Omit<NewUser, 'status' | 'isExpired'> {
  accountId: number
}

/**
 * Adds a user of an existing account. Can violate `users_tenant_id_username_key` and `users_tenant_id_account_id_key`.
 */
export const insertMember = (db: Db, user: NewMember, now: Date) =>
  db.only<User>(sql`
    insert into users
      (tenant_id, account_id, email, username, username_folded, nickname, search_folded, created_at, updated_at)
    values (${user.tenantId}, ${user.accountId}, ${user.email}, ${user.username}, ${fold(user.username)}, ${user.nickname},
      ${searchedText(user)}, ${now}, ${now})
    returning ${columns}`)

/** Stores that the person must change the password. An earlier demand stays. */
export const updatePasswordExpired = (db: TransactionDb, accountId: number, now: Date): void =>
  db.send(sql`
    update accounts set password_expired_at = coalesce(password_expired_at, ${now}) where id = ${accountId}`)

/** A role that a new user of an existing account gets. */
export interface RoleOfMember {
  role_id: number
  source: 'default' | 'invitation'
  /** The inviter, and the inviter's tenant unless it is the user's. */
  assigned_by: number
  assigned_by_tenant: string | null
  assigned_by_account: number | null
  expires_at: Date | null
}

export const insertRolesOfUser = (
  db: TransactionDb,
  tenantId: string,
  userId: number,
  roles: RoleOfMember[],
): void =>
  db.send(sql`
    insert into user_roles (tenant_id, user_id, role_id, source, assigned_by, assigned_by_tenant, assigned_by_account,
      expires_at, warn_at)
    select ${tenantId}::uuid, ${userId}::bigint, role_id, source, assigned_by, assigned_by_tenant, assigned_by_account,
      expires_at, ${warnAt(sql`expires_at`)}
    from json_to_recordset(${JSON.stringify(roles)}::json) as r (role_id bigint, source text, assigned_by bigint,
      assigned_by_tenant uuid, assigned_by_account bigint, expires_at timestamptz)
    returning role_id`)

export const selectUserOfAddress = (db: Db, tenantId: string, email: string) =>
  db.one<{ id: number }>(sql`
    select u.id from accounts a
    join users u on u.account_id = a.id and u.tenant_id = ${tenantId}
    where a.email_folded = ${fold(email)}`)

/** The tenants in which the account has a user, also removed tenants. */
export const selectTenantsOfAccount = (db: TransactionDb, accountId: number) =>
  inAccountScope(db, accountId, () =>
    db.many<{ is_living: boolean }>(sql`
      select t.deleted_at is null as is_living
      from users u
      join tenants t on t.id = u.tenant_id
      where u.account_id = ${accountId}`),
  )

/**
 * Changes the account's e-mail and marks it as unproved. `on update cascade` changes the e-mail of its users. Can
 * violate `accounts_email_key`.
 */
export const updateAccountEmail = (db: TransactionDb, accountId: number, email: string, now: Date): void =>
  db.send(
    sql`
    update accounts set email = ${email}, email_folded = ${fold(email)}, proved_email = null, updated_at = ${now}
    where id = ${accountId}`,
  )

export const updateUser = (db: Db, user: User, now: Date) =>
  db.one<User>(sql`
    update users
    set nickname = ${user.nickname}, avatar = ${user.avatar}, status = ${user.status}, search_folded = ${searchedText(user)}, updated_at = ${now}
    where tenant_id = ${user.tenant_id} and id = ${user.id}
    returning ${columns}`)

/** The second statement deletes the user's assignments, which have no foreign key to their holder. */
export const deleteUserRow = (db: TransactionDb, tenantId: string, id: number): void => {
  db.send(sql`delete from users where tenant_id = ${tenantId} and id = ${id}`)
  db.send(sql`delete from user_roles where tenant_id = ${tenantId} and user_id = ${id}`)
}

export const deleteAccountRow = (db: TransactionDb, accountId: number): void =>
  db.send(sql`delete from accounts where id = ${accountId}`)

export const insertRoleOfUser = (db: Db, tenantId: string, userId: number, roleId: number) =>
  db.run(
    sql`insert into user_roles (tenant_id, user_id, role_id, source) values (${tenantId}, ${userId}, ${roleId}, 'default')`,
  )

export const selectUserOfUsername = (db: Db, tenantId: string, username: string) =>
  db.one<{ id: number }>(sql`
    select id from users where tenant_id = ${tenantId} and username_folded = ${fold(username)}`)

export const selectAccountIdByEmail = (db: Db, email: string) =>
  db.one<{ id: number }>(sql`select id from accounts where email_folded = ${fold(email)}`)

/** Whether the account has a user in an existing tenant. Runs in the scope of the account. */
export const selectLivingUserOfAccount = (db: Db, accountId: number) =>
  db.one<{ id: number }>(sql`
    select u.id from users u
    join tenants t on t.id = u.tenant_id
    where u.account_id = ${accountId} and t.deleted_at is null
    limit 1`)

/** Releases the e-mail of an account while its tenant is purged. The purge deletes the account's row. */
export const updateAccountReleased = (db: Db, accountId: number) =>
  db.run(sql`update accounts set email_folded = ${raw("'removed:' || id")} where id = ${accountId}`)
