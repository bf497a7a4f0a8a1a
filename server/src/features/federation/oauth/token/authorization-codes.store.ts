import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../../db/client.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'

export interface CodeRow {
  /** Null for the console. */
  application_id: number | null
  sign_in_id: string
  request: AuthorizationRequest
  admission: Admission
  expires_at: Date
  used_at: Date | null
  /** Of the session that came of it; null where none did. */
  session_id: string | null
}

const columns = sql`application_id, sign_in_id, request, admission, expires_at, used_at, session_id`

export const selectCode = (db: Db, hash: Buffer) =>
  db.one<CodeRow>(sql`select ${columns} from authorization_codes where code_hash = ${hash}`)

/** Locks a code: of two uses at once, one is the second. */
export const selectCodeForUpdate = (db: TransactionDb, hash: Buffer) =>
  db.one<CodeRow>(sql`select ${columns} from authorization_codes where code_hash = ${hash} for update`)

/** Uses a code up. */
export const updateCodeUsed = (db: TransactionDb, hash: Buffer, now: Date): void =>
  db.send(sql`update authorization_codes set used_at = ${now} where code_hash = ${hash} and used_at is null`)

/** Notes the session that came of a code. */
export const updateCodeSession = (
  db: TransactionDb,
  hash: Buffer,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
): void =>
  db.send(sql`
    update authorization_codes set session_tenant = ${tenantId}, session_id = ${sessionId} where code_hash = ${hash}`)

export const deleteCodeRow = (db: TransactionDb, hash: Buffer): void =>
  db.send(sql`delete from authorization_codes where code_hash = ${hash}`)

export interface Standing {
  user_status: number
  tenant_status: number
  session_epoch: number
  /** Whether the sign-in of the browser stands. */
  is_signed_in: boolean
  /** Of the browser. */
  ip: string
  user_agent: string
  /** Whether the consent stands. */
  is_granted: boolean
}

/** The facts on which an admission stands; undefined for a user who is gone. Lock the account first. */
export const selectStanding = (
  db: Db,
  { tenantId, userId, accountId, signInId, grantId }: Admission,
  now: Date,
) =>
  db.one<Standing>(sql`
    select u.status as user_status, t.status as tenant_status, a.session_epoch,
      coalesce(i.expires_at > ${now} and i.account_epoch = a.session_epoch, false) as is_signed_in,
      coalesce(i.ip, '') as ip, coalesce(i.user_agent, '') as user_agent,
      g.id is not null as is_granted
    from users u
    join accounts a on a.id = u.account_id
    join tenants t on t.id = u.tenant_id
    left join sign_ins i on i.id = ${signInId} and i.account_id = a.id
    left join grants g on g.tenant_id = ${tenantId} and g.id = ${grantId ?? 0} and g.user_id = u.id
    where u.tenant_id = ${tenantId} and u.id = ${userId} and u.account_id = ${accountId}`)
