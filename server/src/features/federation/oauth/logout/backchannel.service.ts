/** Tells applications of the end of their sessions (OpenID Connect Back-Channel Logout). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../../../context.ts'
import { version } from '../../../../version.ts'
import * as store from './logout-queue.store.ts'

/** Attempts under way of one client: one that is slow delays no other. */
const ofEachMax = 4
/** Attempts that a replica begins at once, and those under way, the slow ones included. */
const placesMax = 50
const attemptsMax = 500
/** An attempt gives its place to another one after this time, and goes on. */
const placeMs = 1000
/** A replica that takes a token has it for so long: longer than an attempt. */
const leaseMs = 60_000
/** docs/contract.md, "Sign in with Tenantry": the pauses before the further attempts. */
const pausesMs = [5000, 30_000, 120_000, 600_000]

const tokenSeconds = 120

type SenderParts = Pick<Parts, 'log' | 'now' | 'post' | 'store' | 'tokens'>

/** Sends logout tokens, several at once. */
export interface LogoutSender {
  /** Takes tokens that are due, and begins to send them. Returns how many it took. */
  round: () => Promise<number>
  /** Resolves when no attempt is under way. */
  settle: () => Promise<void>
}

export const createLogoutSender = (parts: SenderParts): LogoutSender => {
  const { store: database, now } = parts
  /** Attempts under way, with their clients. */
  const attempts = new Map<Promise<void>, string>()
  const placed = new Set<Promise<unknown>>()

  const begin = (queued: store.QueuedLogout): void => {
    const running = attempt(parts, queued).finally(() => attempts.delete(running))
    const place = Promise.race([running, sleep(placeMs, undefined, { ref: false })]).finally(() =>
      placed.delete(place),
    )
    placed.add(place)
    attempts.set(running, queued.client_id)
  }

  const take = (): Promise<store.QueuedLogout[]> =>
    database.transaction({}, (db) =>
      store.takeLogouts(db, {
        now: now(),
        until: new Date(now().getTime() + leaseMs),
        busy: busyOf([...attempts.values()]),
        ofEach: ofEachMax,
        limit: Math.max(0, Math.min(placesMax - placed.size, attemptsMax - attempts.size)),
      }),
    )

  return {
    async round() {
      if (!(await store.selectDueLogout(database.scoped({}), now()))) return 0
      const taken = await take()
      for (const queued of taken) begin(queued)
      return taken.length
    },
    async settle() {
      while (attempts.size > 0) await Promise.all(attempts.keys())
    },
  }
}

const busyOf = (clients: string[]): string[] =>
  [...new Set(clients)].filter((one) => clients.filter((other) => other === one).length >= ofEachMax)

/** Signed at each attempt, so that it has not expired when it arrives. */
const logoutToken = ({ tokens, now }: SenderParts, queued: store.QueuedLogout): Promise<string> => {
  const issuedAt = Math.floor(now().getTime() / 1000)
  const claims = {
    aud: queued.client_id,
    sub: String(queued.user_id),
    sid: queued.session_id,
    iat: issuedAt,
    exp: issuedAt + tokenSeconds,
    jti: randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  }
  return tokens.signIdentity('logout+jwt', claims, now())
}

const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': `Tenantry/${version}`,
}

/** Never throws: a token whose outcome cannot be stored is sent again after its lease. */
const attempt = async (parts: SenderParts, queued: store.QueuedLogout): Promise<void> => {
  const about = { client_id: queued.client_id, attempt: queued.attempts }
  try {
    const body = new URLSearchParams({ logout_token: await logoutToken(parts, queued) }).toString()
    const { isTaken, error } = await parts.post(queued.uri, headers, body)
    if (!isTaken) parts.log.warn({ ...about, error }, 'an application did not take a logout token')
    await keepOutcome(parts, queued, isTaken)
  } catch (err) {
    parts.log.error({ ...about, err }, 'a logout token could not be sent; it is sent again in a minute')
  }
}

const keepOutcome = async (
  { store: database, now }: SenderParts,
  queued: store.QueuedLogout,
  isTaken: boolean,
): Promise<void> => {
  const db = database.scoped({})
  const pause = isTaken ? undefined : pausesMs[queued.attempts - 1]
  if (pause === undefined) await store.deleteLogoutRow(db, queued.id)
  else await store.updateLogoutDue(db, queued, new Date(now().getTime() + pause))
}
