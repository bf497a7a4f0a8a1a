/** Notifies applications of the end of their sessions (OpenID Connect Back-Channel Logout). */
import { randomUUID } from 'node:crypto'
import type { Parts } from '../../../../context.ts'
import { createSender, type QueueLimits, type Sender } from '../../../../db/queue.ts'
import { version } from '../../../../version.ts'
import * as store from './logout-queue.store.ts'

/** The most running attempts of one client, so that a slow client delays no other. */
const ofEachMax = 4
/** An attempt ends after 10 seconds (outbound/post.ts), so at most 500 attempts run. */
const logoutLimits: QueueLimits = {
  slots: 50,
  slotMs: 1000,
  attempts: 500,
  attemptMs: 15_000,
  leaseMs: 60_000,
  pollMs: 500,
}
/** The pauses before further attempts (docs/contract.md, "Sign in with Tenantry"). */
const pausesMs = [5000, 30_000, 120_000, 600_000]

const tokenSeconds = 120

type SenderParts = Pick<Parts, 'cache' | 'log' | 'now' | 'post' | 'store' | 'tokens'>

/** Sends logout tokens. A slow application does not delay other applications. */
export const createLogoutSender = (parts: SenderParts): Sender =>
  createSender<store.QueuedLogout>(parts, {
    table: 'logout_queue',
    limits: logoutLimits,
    take: (db, { underWay, ...share }) =>
      store.takeLogouts(db, { ...share, busy: busyOf(underWay), ofEach: ofEachMax }),
    send: async (queued, signal) => {
      const body = new URLSearchParams({ logout_token: await logoutToken(parts, queued) }).toString()
      const { isTaken, error } = await parts.post(queued.uri, headers, body, signal)
      if (!isTaken) throw new Error(error)
    },
    pauseAfter: ({ client_id, attempts }, err) => {
      parts.log.warn({ client_id, attempt: attempts, err }, 'an application did not take a logout token')
      return pausesMs[attempts - 1]
    },
  })

const busyOf = (underWay: store.QueuedLogout[]): string[] => {
  const clients = underWay.map(({ client_id }) => client_id)
  return [...new Set(clients)].filter((one) => clients.filter((other) => other === one).length >= ofEachMax)
}

/** Signed at each attempt, so that the token has not expired when it arrives. */
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
