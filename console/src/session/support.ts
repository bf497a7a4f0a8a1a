/**
 * The support session of this tab: the person works as a user of a tenant. Its token is in the storage of this tab
 * alone, and no other tab takes part.
 */
import type { SupportSession, SupportToken } from '@tenantry/client'
import { forgetDrafts } from './drafts.ts'
import { awaitLeaving, leaveTo } from './sign-in.ts'

export interface SupportNow extends Pick<SupportSession, 'id' | 'kind'> {
  token: string
  user: string
  /** By the clock of this browser. */
  endsAt: number
}

const key = 'tenantry.support'

const read = (): SupportNow | undefined => {
  const stored = sessionStorage.getItem(key)
  return stored === null ? undefined : (JSON.parse(stored) as SupportNow)
}

/** Undefined in every other tab. Begin and end load the document anew, so it never changes. */
export const supportNow = read()

/** False in a support session, which writes neither secrets nor the settings that Tenantry reads. */
export const writesAllSettings = supportNow === undefined

/** Makes this tab the user's, until the end. */
export const enterSupport = (
  { id, kind, user }: SupportSession,
  { access_token: token, expires_in: seconds }: SupportToken,
): Promise<never> => {
  const now: SupportNow = {
    id,
    kind,
    token,
    user: user.name,
    endsAt: Date.now() + seconds * 1000,
  }
  forgetDrafts()
  sessionStorage.setItem(key, JSON.stringify(now))
  location.assign('/console/')
  return awaitLeaving()
}

/** Gives this tab back to the person's own session. */
export const leaveSupport = (): Promise<never> => {
  sessionStorage.removeItem(key)
  forgetDrafts()
  return leaveTo(`/console/support?mine=true&ended=${supportNow?.id}`)
}
