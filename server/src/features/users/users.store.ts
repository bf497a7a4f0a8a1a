import sql, { empty, raw } from 'sql-template-tag'
import type { StoredPassword } from '../../crypto/passwords.ts'
import type { Db } from '../../db/client.ts'
import { countUpTo, isoTime, mayTakeLong, type Slice } from '../../db/columns.ts'
import { containing, fold } from '../../text.ts'
import type { User } from './users.schemas.ts'

const columns = sql`id, tenant_id, username, email, nickname, avatar, status, ${isoTime('last_login_at')} as last_login`

/** A line break within a field or a keyword stands as U+2028 in what is searched: a bare one parts the fields. */
const onOneLine = (text: string) => text.replaceAll('\n', '\u2028')

/** What a keyword is searched in: one line per field, so that none runs into the next. */
const searched = ({ username, email, nickname }: Pick<User, 'username' | 'email' | 'nickname'>) =>
  fold([username, email, nickname].map(onOneLine).join('\n'))

export interface UserFilter {
  search?: string | undefined
  status?: number | undefined
  sort?: 'id' | '-id'
}

/** Of a page without users there is one row, for the total. */
type ListedUser = { total: number } & (User | { id: null })

/**
 * A page, and how many there are; of those who are searched for, up to one more than `max`. Their ids come from a function
 * that row-level security does not bind (decision 0061), the users from a statement that it does: one by one, because
 * the condition of its policies misleads the planner wherever it may choose another way than by the key.
 */
export const selectUsers = async (
  db: Db,
  tenantId: string,
  { search, status, sort = 'id' }: UserFilter,
  { limit, offset, max }: Slice & { max: number },
): Promise<{ items: User[]; total: number }> => {
  const pattern = search ? containing(onOneLine(search)) : undefined
  const rows = await db.many<ListedUser>(sql`
    ${pattern === undefined ? empty : mayTakeLong}
    select found.total, listed.*
    from list_users(${pattern}, ${status}, ${limit}, ${offset}, ${max}, ${sort === '-id'}) as found
    left join unnest(found.ids) with ordinality as wanted (id, place) on true
    left join lateral (
      select ${columns} from users where tenant_id = ${tenantId} and id = wanted.id limit 1) as listed on true
    order by wanted.place`)
  return { items: rows.filter((row) => row.id !== null), total: rows[0]?.total ?? 0 }
}

/** Those who hold a role, by id: each fetched by its key, as above. */
export const selectUsersOfRole = (db: Db, tenantId: string, roleId: number, { limit, offset }: Slice) =>
  db.many<User>(sql`
    select listed.*
    from (
      select user_id from user_roles where tenant_id = ${tenantId} and role_id = ${roleId}
      order by user_id limit ${limit} offset ${offset}
    ) as held,
    lateral (
      select ${columns} from users where tenant_id = ${tenantId} and id = held.user_id limit 1
    ) as listed
    order by held.user_id`)

/** How many hold a role, up to one more than `max`. */
export const countUsersOfRole = (db: Db, tenantId: string, roleId: number, max: number) =>
  db.one<{ count: number }>(
    countUpTo(max, sql`from user_roles where tenant_id = ${tenantId} and role_id = ${roleId}`),
  )

export const selectUser = (db: Db, tenantId: string, id: number) =>
  db.one<User>(sql`select ${columns} from users where tenant_id = ${tenantId} and id = ${id}`)

export interface UserForUpdate extends User {
  account_id: number
  created_at: string
}

/** The user, locked until the transaction ends. */
export const selectUserForUpdate = (db: Db, tenantId: string, id: number) =>
  db.one<UserForUpdate>(sql`
    select ${columns}, account_id, ${isoTime('created_at')} as created_at from users where tenant_id = ${tenantId} and id = ${id} for update`)

/** May break `accounts_email_key`. */
export const insertAccount = (db: Db, email: string, password: StoredPassword, now: Date) =>
  db.one<{ id: number }>(sql`
    insert into accounts (email, email_folded, password_hash, password_scheme, created_at, updated_at)
    values (${email}, ${fold(email)}, ${password.password_hash}, ${password.password_scheme}, ${now}, ${now})
    returning id`)

export interface NewUser {
  tenantId: string
  accountId: number
  email: string
  username: string
  nickname: string
  status: number
}

/** May break `users_tenant_id_username_key`. */
export const insertUser = (db: Db, user: NewUser, now: Date) =>
  db.one<User>(sql`
    insert into users
      (tenant_id, account_id, email, username, username_folded, nickname, search_folded, status, created_at, updated_at)
    values (${user.tenantId}, ${user.accountId}, ${user.email}, ${user.username}, ${fold(user.username)},
      ${user.nickname}, ${searched(user)}, ${user.status}, ${now}, ${now})
    returning ${columns}`)

/** The e-mail of the account, and by `on update cascade` of its users. May break `accounts_email_key`. */
export const updateAccountEmail = (db: Db, accountId: number, email: string, now: Date) =>
  db.run(sql`
    update accounts set email = ${email}, email_folded = ${fold(email)}, updated_at = ${now}
    where id = ${accountId}`)

export const updateUser = (db: Db, user: User, now: Date) =>
  db.one<User>(sql`
    update users
    set nickname = ${user.nickname}, status = ${user.status}, search_folded = ${searched(user)}, updated_at = ${now}
    where tenant_id = ${user.tenant_id} and id = ${user.id}
    returning ${columns}`)

export const deleteUserRow = (db: Db, tenantId: string, id: number) =>
  db.run(sql`delete from users where tenant_id = ${tenantId} and id = ${id}`)

export const deleteAccountRow = (db: Db, accountId: number) =>
  db.run(sql`delete from accounts where id = ${accountId}`)

export const insertSystemRoleOfUser = (db: Db, tenantId: string, userId: number, roleName: string) =>
  db.run(sql`
    insert into user_roles (tenant_id, user_id, role_id)
    select tenant_id, ${userId}::bigint, id from roles
    where tenant_id = ${tenantId} and is_system and name = ${roleName}`)

export const selectAccountIdByEmail = (db: Db, email: string) =>
  db.one<{ id: number }>(sql`select id from accounts where email_folded = ${fold(email)}`)

/** Whether the account has a user in a tenant that exists. In the scope of the account. */
export const selectLivingUserOfAccount = (db: Db, accountId: number) =>
  db.one<{ id: number }>(sql`
    select u.id from users u
    join tenants t on t.id = u.tenant_id
    where u.account_id = ${accountId} and t.deleted_at is null
    limit 1`)

/** Lets go of the e-mail of an account whose tenant is being purged; the row goes with the purge. */
export const updateAccountReleased = (db: Db, accountId: number) =>
  db.run(sql`update accounts set email_folded = ${raw("'removed:' || id")} where id = ${accountId}`)
