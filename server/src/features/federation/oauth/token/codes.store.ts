import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../../db/client.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'

export interface NewCode {
  hash: Buffer
  /** Null for the console. */
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
