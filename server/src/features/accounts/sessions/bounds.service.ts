import { restrictionOf } from '../../../access/actor.ts'
import type { UsedApplication } from '../../../access/application-use.ts'
import type { CallerlessCtx } from '../../../context.ts'
import * as store from './sessions.store.ts'

export interface SessionBounds {
  /** The account of the person; undefined for a key. */
  accountId: number | undefined
  /** The permissions of the user that the session may use. Undefined means all. */
  codes: ReadonlySet<string> | undefined
  /** The application of the session, or undefined for a key. */
  application: UsedApplication | undefined
}

/**
 * The bounds of a user's session in the tenant in scope. Undefined for a session that has ended, is restricted, or
 * belongs to another user.
 */
export const findSessionBounds = async (
  { db, parts, tenantId }: CallerlessCtx,
  userId: number,
  id: string,
): Promise<SessionBounds | undefined> => {
  const session = await store.selectSession(db, { tenantId, id, userId, now: parts.now() })
  if (!session || restrictionOf(parts.config, session, session) !== undefined) return undefined
  const { account_id: accountId, narrowed_codes: codes } = session
  return { accountId, codes: codes ? new Set(codes) : undefined, application: session }
}
