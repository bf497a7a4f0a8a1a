/** Ends of sessions, with a change for every replica. */
import type { TransactionCtx } from '../../../context.ts'
import * as signIns from './browser-sign-ins.store.ts'
import * as store from './sessions.store.ts'

/** Adds the changes by which every replica forgets the ended sessions. */
export const announceEnded = (ctx: TransactionCtx, ended: store.EndedSession[]): void => {
  for (const { id, tenant_id, user_id } of ended) {
    ctx.changes.push({ kind: 'user', tenantId: tenant_id, userId: user_id, sessionId: id })
  }
}

/** Ends the browser sign-ins whose sessions of the console have ended. Lock the account first. */
export const endBrowsers = async (
  ctx: TransactionCtx,
  accountId: number,
  ended: store.EndedSession[],
): Promise<void> => {
  const ofConsole = ended.filter((one) => one.is_shared && one.application_id === null)
  for (const id of new Set(ofConsole.map((one) => one.sign_in_id))) {
    await signIns.deleteSignInRow(ctx.db, accountId, id)
  }
}

export type { EndedSession } from './sessions.store.ts'

export interface EndedSignIn {
  /** False when there was no such sign-in. */
  isEnded: boolean
  sessions: store.EndedSession[]
}

/** Ends a browser's sign-in in all tenants, with the sessions of applications that depend on it. Locks the account. */
export const endBrowserSignIn = async (
  ctx: TransactionCtx,
  accountId: number,
  signInId: string,
): Promise<EndedSignIn> => {
  store.lockAccount(ctx.db, accountId)
  const sessions = await store.deleteRowsOfSignIns(ctx.db, accountId, [signInId])
  announceEnded(ctx, sessions)
  const count = await signIns.deleteSignInRow(ctx.db, accountId, signInId)
  return { isEnded: count === 1, sessions }
}
