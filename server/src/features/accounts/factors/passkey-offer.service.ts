/** The offer of a passkey to a person who has just signed in on the hosted pages. */
import type { Ctx } from '../../../context.ts'
import { passkeysAreOn } from '../../../config/relying-party.ts'
import { ownSession } from '../sessions/sessions.service.ts'
import { factorsMax } from './factors.service.ts'
import * as store from './factors.store.ts'

/** 30 days (docs/contract.md, "Second factors"). */
const declinedMs = 30 * 24 * 3600_000

/** Whether the caller can add a passkey, has none, and declined none in the last 30 days. */
export const mayBeOfferedPasskey = async ({ db, actor, parts }: Ctx): Promise<boolean> => {
  if (!passkeysAreOn(parts.config)) return false
  const { accountId } = ownSession(actor)
  const declinedBefore = new Date(parts.now().getTime() - declinedMs)
  return (await store.selectWithoutPasskey(db, { accountId, factorsMax, declinedBefore })) !== undefined
}

export const declinePasskey = ({ db, actor, parts }: Ctx): Promise<number> =>
  store.updatePasskeyDeclined(db, ownSession(actor).accountId, parts.now())
