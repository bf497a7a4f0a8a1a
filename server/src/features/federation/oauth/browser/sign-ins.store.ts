import sql from 'sql-template-tag'
import { barrierOf, type Barrier } from '../../../../access/reach.sql.ts'
import type { Db, TransactionDb } from '../../../../db/client.ts'

export interface SignInRow {
  id: string
  account_id: number
  account_epoch: number
  email: string
  amr: string[]
  auth_time: Date
  chosen_tenant: string | null
  connection_id: string | null
  connection_tenant_id: string | null
  latest_expires_at: Date | null
}

/** A sign-in that has neither expired nor ended with the sessions of its account. */
export const selectSignIn = (db: Db, cookieHash: Buffer, now: Date) =>
  db.one<SignInRow>(sql`
    select g.id, g.account_id, g.account_epoch, a.email, g.amr, g.auth_time,
      g.tenant_ids[cardinality(g.tenant_ids)] as chosen_tenant, g.connection_id,
      g.connection_tenant_id, g.latest_expires_at
    from sign_ins g
    join accounts a on a.id = g.account_id
    where g.cookie_hash = ${cookieHash} and g.expires_at > ${now} and g.account_epoch = a.session_epoch`)

export interface NewSignIn {
  id: string
  cookieHash: Buffer
  accountId: number
  amr: readonly string[]
  ip: string
  userAgent: string
  now: Date
  expiresAt: Date
  /** The connection that opened the sign-in; undefined for other sign-in methods. */
  connection: { id: string; tenantId: string; latestExpiresAt: Date } | undefined
}

/** Inserts a sign-in. If the same person has a sign-in, replaces its proofs and its cookie. Lock the account first. */
export const upsertSignIn = (db: TransactionDb, signIn: NewSignIn): void =>
  db.send(sql`
    insert into sign_ins (id, cookie_hash, account_id, account_epoch, amr, auth_time, ip, user_agent, created_at, last_used_at,
      expires_at, tenant_ids, connection_id, connection_tenant_id, latest_expires_at)
    select ${signIn.id}::uuid, ${signIn.cookieHash}::bytea, a.id, a.session_epoch, ${[...signIn.amr]}::text[],
      ${signIn.now}::timestamptz, ${signIn.ip}, ${signIn.userAgent}, ${signIn.now}::timestamptz, ${signIn.now}::timestamptz,
      ${signIn.expiresAt}::timestamptz, ${signIn.connection ? [signIn.connection.tenantId] : []}::uuid[], ${signIn.connection?.id ?? null}::uuid, ${signIn.connection?.tenantId ?? null}::uuid,
      ${signIn.connection?.latestExpiresAt ?? null}::timestamptz
    from accounts a where a.id = ${signIn.accountId}
    on conflict (id) do update
    set cookie_hash = excluded.cookie_hash, account_epoch = excluded.account_epoch, amr = excluded.amr,
      auth_time = excluded.auth_time, ip = excluded.ip, user_agent = excluded.user_agent,
      last_used_at = excluded.last_used_at, expires_at = excluded.expires_at, latest_expires_at = excluded.latest_expires_at`)

export const updateCookie = (db: Db, id: string, cookieHash: Buffer) =>
  db.run(sql`update sign_ins set cookie_hash = ${cookieHash} where id = ${id}`)

/** Stores the use of a sign-in in a tenant. Returns 0 if the sign-in has ended. Lock the account first. */
export const updateSignInUsed = (
  db: Db,
  { id, tenantId, now, expiresAt }: { id: string; tenantId: string; now: Date; expiresAt: Date },
) =>
  db.run(sql`
    update sign_ins g
    set tenant_ids = array_append(array_remove(g.tenant_ids, ${tenantId}::uuid), ${tenantId}::uuid), last_used_at = ${now}, expires_at = ${expiresAt}
    from accounts a
    where g.id = ${id} and g.expires_at > ${now} and a.id = g.account_id and g.account_epoch = a.session_epoch`)

/** Locks the account, so that its sessions cannot end before the transaction does. */
export const lockAccount = (db: Db, accountId: number) =>
  db.one(sql`select id from accounts where id = ${accountId} for share`)

export interface Member {
  tenant_id: string
  name: string
  slug: string
  user_id: number
  username: string
  /** Null if the tenant accepts the sign-in. */
  barrier: Barrier | null
}

/** The enabled users of an account, by last used tenant, the latest first. Runs in the scope of the account. */
export const selectMembers = (
  db: Db,
  accountId: number,
  { amr, hasMfa }: { amr: readonly string[]; hasMfa: boolean },
) =>
  db.many<Member>(sql`
    select t.id as tenant_id, t.name, t.slug, u.id as user_id, u.username, ${barrierOf({
      tenantId: sql`u.tenant_id`,
      userId: sql`u.id`,
      amr: sql`${amr}::text[]`,
      hasMfa: sql`${hasMfa}::boolean`,
    })} as barrier
    from users u
    join tenants t on t.id = u.tenant_id
    where u.account_id = ${accountId} and u.status = 1 and t.status = 1 and t.deleted_at is null
    order by u.last_login_at desc nulls last, t.id
    limit 1000`)
