import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../../db/client.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'

export interface CodeRow {
  /** The application; null for the console. */
  application_id: number | null
  sign_in_id: string
  request: AuthorizationRequest
  admission: Admission
  expires_at: Date
  used_at: Date | null
  /** The session that the code opened; null if there is none. */
  session_id: string | null
}

const columns = sql`application_id, sign_in_id, request, admission, expires_at, used_at, session_id`

export interface NewCode {
  hash: Buffer
  /** The application; null for the console. */
  applicationId: number | null
  signInId: string
  request: AuthorizationRequest
  admission: Admission
  expiresAt: Date
}

export const insertCode = (db: TransactionDb, code: NewCode): void =>
  db.send(sql`
    insert into authorization_codes (code_hash, application_id, sign_in_id, request, admission, expires_at)
    values (${code.hash}, ${code.applicationId}, ${code.signInId}, ${JSON.stringify(code.request)},
      ${JSON.stringify(code.admission)}, ${code.expiresAt})`)

export const selectCode = (db: Db, hash: Buffer) =>
  db.one<CodeRow>(sql`select ${columns} from authorization_codes where code_hash = ${hash}`)

/** Locks the code row, so that concurrent exchanges run one after the other. */
export const selectCodeForUpdate = (db: TransactionDb, hash: Buffer) =>
  db.one<CodeRow>(sql`select ${columns} from authorization_codes where code_hash = ${hash} for update`)

/** Marks a code as used. */
export const updateCodeUsed = (db: TransactionDb, hash: Buffer, now: Date): void =>
  db.send(sql`update authorization_codes set used_at = ${now} where code_hash = ${hash} and used_at is null`)

/** Stores the session that a code has opened. */
export const updateCodeSession = (
  db: TransactionDb,
  hash: Buffer,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
): void =>
  db.send(sql`
    update authorization_codes set session_tenant = ${tenantId}, session_id = ${sessionId} where code_hash = ${hash}`)

export const deleteCodeRow = (db: TransactionDb, hash: Buffer): void =>
  db.send(sql`delete from authorization_codes where code_hash = ${hash}`)

/** The present state of the user, the sign-in and the consent of an admission. */
export interface AdmissionStatus {
  user_status: number
  tenant_status: number
  session_epoch: number
  /** Whether the sign-in of the browser is valid. */
  is_signed_in: boolean
  /** IP address and user agent of the browser. */
  ip: string
  user_agent: string
  /** Whether the consent exists. */
  is_granted: boolean
}

/** The facts that decide whether an admission is still valid. Undefined for a deleted user. Lock the account first. */
export const selectAdmissionStatus = (
  db: Db,
  { tenantId, userId, accountId, signInId, grantId }: Admission,
  now: Date,
) =>
  db.one<AdmissionStatus>(sql`
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
