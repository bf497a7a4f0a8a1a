import sql, { type Sql } from 'sql-template-tag'
import type { Credential } from '../../../access/credential.ts'
import { barrierOf, type Barrier, type FirstProof } from '../../../access/reach.sql.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { inAccountScope } from '../../../db/scope.ts'

export interface AccountRow extends StoredPassword {
  id: number
  email: string
  language: string | null
}

export const selectAccountByEmail = (db: Db, emailFolded: string) =>
  db.one<AccountRow>(sql`
    select id, email, language, password_hash, password_scheme from accounts where email_folded = ${emailFolded}`)

export interface OwnAccountRow extends AccountRow {
  /** True if the person must choose another password. */
  is_expired: boolean
  passkey_handle: Buffer | null
}

export const selectAccountOfUser = (db: Db, tenantId: string, userId: number) =>
  db.one<OwnAccountRow>(sql`
    select a.id, a.email, a.language, a.password_hash, a.password_scheme, a.password_expired_at is not null as is_expired,
      a.passkey_handle
    from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${userId}`)

/** The time of the proofs of a session or a browser's sign-in. */
export const selectAuthTime = (db: Db, tenantId: string, { kind, id }: Pick<Credential, 'kind' | 'id'>) =>
  db.one<{ auth_time: Date }>(
    kind === 'sign_in'
      ? sql`select auth_time from sign_ins where id = ${id}`
      : sql`
        select coalesce(auth_time, created_at) as auth_time from sessions
        where tenant_id = ${tenantId} and id = ${id}`,
  )

export interface MemberRow {
  tenant_id: string
  user_id: number
  username: string
  status: number
  tenant_status: number
  /** Null if the person may sign in to the tenant with the first proof, and without its connection. */
  barrier: Barrier | null
}

/**
 * SQL: the barrier between the person of a user `u` and its tenant, for a sign-in without a connection. Runs in the
 * scope of the account.
 */
const barrierFor = (accountId: number, firstProof: FirstProof): Sql =>
  barrierOf({
    tenantId: sql`u.tenant_id`,
    userId: sql`u.id`,
    amr: sql`array[${firstProof}::text]`,
    hasMfa: sql`exists (select from factors where account_id = ${accountId} and is_confirmed)`,
  })

/**
 * The user of an account in the requested tenant. If no tenant is requested, selects the tenant used last: reachable,
 * enabled, and with an enabled user. Runs in the scope of the account.
 */
export const selectUserOfAccount = (
  db: Db,
  accountId: number,
  { askedTenant, firstProof }: { askedTenant: string | null; firstProof: FirstProof },
) =>
  db.one<MemberRow>(sql`
    select u.tenant_id, u.id as user_id, u.username, u.status, t.status as tenant_status,
      ${barrierFor(accountId, firstProof)} as barrier
    from users u
    join tenants t on t.id = u.tenant_id
    where u.account_id = ${accountId} and t.deleted_at is null
      and u.tenant_id = coalesce(${askedTenant}::uuid, u.tenant_id)
    order by (u.status = 1 and t.status = 1) desc, barrier nulls first, u.last_login_at desc nulls last, u.id
    limit 1`)

/** The first proofs that an account has. With mail, a mailed link gives a password again. */
export const selectFirstProofs = (db: TransactionDb, accountId: number, isMailOn: boolean) =>
  db.many<{ proof: FirstProof }>(sql`
    select 'pwd'::text as proof from accounts
    where id = ${accountId} and (password_scheme <> 'none' or ${isMailOn}::boolean)
    union all select 'email' where ${isMailOn}::boolean
    union all select 'pop' from factors where account_id = ${accountId} and type = 'passkey' and is_confirmed
    union all select 'fed:' || id from identities where account_id = ${accountId}`)

/** The tenants of an account that none of the proofs opens. A tenant that requires its connection is not among them. */
export const selectShutTenants = (db: TransactionDb, accountId: number, proofs: FirstProof[]) =>
  inAccountScope(db, accountId, () =>
    db.many<{ tenant_id: string }>(sql`
      select u.tenant_id
      from users u
      join tenants t on t.id = u.tenant_id
      where u.account_id = ${accountId} and t.deleted_at is null and not exists (
        select from unnest(${proofs}::text[]) as proofs(one)
        where ${barrierOf({
          tenantId: sql`u.tenant_id`,
          userId: sql`u.id`,
          amr: sql`array[proofs.one]`,
          hasMfa: sql`true`,
        })} is distinct from 'way')`),
  )

/** The users of an account in all existing tenants. */
export const selectUsersOfAccount = (db: TransactionDb, accountId: number) =>
  inAccountScope(db, accountId, () =>
    db.many<{ tenant_id: string; user_id: number; username: string }>(sql`
      select u.tenant_id, u.id as user_id, u.username
      from users u
      join tenants t on t.id = u.tenant_id
      where u.account_id = ${accountId} and t.deleted_at is null
      order by u.tenant_id`),
  )
