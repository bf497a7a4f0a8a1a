import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../../context.ts'
import type { Config } from '../../../config/config.ts'
import { sweep } from '../../../db/sweep.ts'
import type { LinkPage } from '../../../config/link-pages.ts'
import { mailKinds, type LinkMailKind, type MailKind } from '../../../mail/kinds.ts'
import { SendFailure, type Email, type Mailer } from '../../../mail/mailer.ts'
import { render } from '../../../mail/render.ts'
import type { Facts } from '../../../mail/values.ts'
import { readBrand } from './brand.service.ts'
import { bindingOf } from './mail.service.ts'
import * as store from './mail.store.ts'
import { findText } from './texts.service.ts'

/** Attempts that hold a slot at once, in one replica. */
const slotsMax = 10
/** All attempts under way, including slow ones. Postfix takes 50 connections of one client. */
const attemptsMax = 50
/** A replica that takes an e-mail has it for this long. No other sends it meanwhile, even if the replica dies. */
const leaseMs = 180_000
/** `slot`: an attempt that takes longer frees its slot, and continues. `attempt`: it ends, well within the lease. */
const limitsMs = { slot: 3000, attempt: 90_000 }
/** The pause after the first failed attempt. It doubles with each further one, up to the longest. */
const firstPauseMs = 10_000
const longestPauseMs = 600_000

type SenderParts = Pick<Parts, 'config' | 'log' | 'mailer' | 'metrics' | 'now' | 'secrets' | 'store'>

/** The console's pages that links open. */
const ownPages: Record<LinkPage, string> = {
  reset: '/sign-in/reset-password',
  verification: '/sign-in/verify-email',
  invitation: '/sign-in/accept-invitation',
  sign_up: '/sign-in/sign-up',
}

/** The page of a link. The token is in the fragment, which browsers do not send to servers. */
export const pageOfLink = ({ publicUrl, linkPages }: Config, kind: LinkMailKind, token: string): string => {
  const { page } = mailKinds[kind]
  if (page === 'proof') return `${publicUrl}/sign-in#proof=${token}`
  return `${linkPages[page] ?? `${publicUrl}${ownPages[page]}`}#token=${token}`
}

/** Sends e-mails, several at once. Slow mail servers do not delay the others. */
export interface Sender {
  /**
   * Waits for a free slot, takes due e-mails and begins to send them. Returns the number taken; 0 when none is due. No
   * other replica takes the same ones.
   */
  round: () => Promise<number>
  /** Resolves when no attempt is under way. */
  settle: () => Promise<void>
  /** Ends all attempts. Their e-mails are due at once, for other replicas. */
  stop: () => Promise<void>
}

/** The reason with which a stop aborts an attempt. */
const stopped = Symbol('the service stops')

export const createSender = (parts: SenderParts, limits = limitsMs): Sender => {
  const { mailer, store: database, now } = parts
  /** Attempts under way by their abort controllers, the oldest first. */
  const attempts = new Map<AbortController, Promise<void>>()
  /** Attempts that hold a slot. */
  const slots = new Set<Promise<unknown>>()

  const begin = (by: Mailer, mail: store.QueuedMail): void => {
    const ending = new AbortController()
    const late = setTimeout(() => ending.abort(), limits.attempt)
    const running = attempt(parts, by, mail, ending.signal).finally(() => {
      clearTimeout(late)
      attempts.delete(ending)
    })
    const slot = Promise.race([running, sleep(limits.slot, undefined, { ref: false })]).finally(() =>
      slots.delete(slot),
    )
    slots.add(slot)
    attempts.set(ending, running)
    const open = [...attempts.keys()].filter(({ signal }) => !signal.aborted)
    if (open.length > attemptsMax) open[0]?.abort()
  }

  const take = (limit: number): Promise<store.QueuedMail[]> => {
    const until = new Date(now().getTime() + leaseMs)
    return database.transaction({}, (db) => store.takeMails(db, { now: now(), until, limit }))
  }

  const settle = async () => {
    while (attempts.size > 0) await Promise.all(attempts.values())
  }

  return {
    settle,
    async round() {
      if (!mailer) return 0
      while (slots.size >= slotsMax) await Promise.race(slots)
      if (!(await store.selectDueMail(database.scoped({}), now()))) return 0
      const taken = await take(slotsMax - slots.size)
      for (const mail of taken) begin(mailer, mail)
      return taken.length
    },
    async stop() {
      for (const ending of attempts.keys()) ending.abort(stopped)
      await settle()
    },
  }
}

/** Never throws: an e-mail whose outcome cannot be stored is sent again after its lease. */
const attempt = async (parts: SenderParts, mailer: Mailer, mail: store.QueuedMail, signal: AbortSignal) => {
  const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts }
  try {
    const due = await send(parts, mailer, mail, { about, signal })
    const db = parts.store.scoped({})
    await (due ? store.updateMailDue(db, mail, due) : store.deleteMailRow(db, mail.id))
  } catch (err) {
    parts.log.error(
      { ...about, err },
      'an attempt could not be stored; the e-mail is sent again in three minutes',
    )
  }
}

/** Sends an e-mail. Returns the time of the next attempt, if there is one. */
const send = async (
  parts: SenderParts,
  mailer: Mailer,
  mail: store.QueuedMail,
  { about, signal }: { about: object; signal: AbortSignal },
): Promise<Date | undefined> => {
  const { log, metrics, now } = parts
  try {
    await mailer.send(await emailOf(parts, mail), signal)
    metrics.mails.inc({ result: 'sent' })
    return undefined
  } catch (err) {
    if (signal.reason === stopped) return now()
    if (isFinal(err)) {
      metrics.mails.inc({ result: 'refused' })
      log.warn({ ...about, err }, 'an e-mail was refused for good')
      return undefined
    }
    metrics.mails.inc({ result: 'failed' })
    log.warn({ ...about, err }, 'an e-mail was not sent; it is tried again until it expires')
    return new Date(now().getTime() + pauseAfter(mail.attempts))
  }
}

/** Thrown for an e-mail whose token no secret key opens. */
class Unreadable extends Error {}

const isFinal = (err: unknown): boolean =>
  err instanceof Unreadable || (err instanceof SendFailure && err.isFinal)

const pauseAfter = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 10))

/** Renders only when it sends, so that the database never holds a text with a token. */
const emailOf = async (
  { config, secrets, store: database }: SenderParts,
  mail: store.QueuedMail,
): Promise<Email> => {
  const { id, email: to, created_at: createdAt } = mail
  const kind = mail.kind as MailKind
  const token = mail.sealed_token && tokenOf(secrets, id, mail.sealed_token)
  const link = token === null ? undefined : pageOfLink(config, kind as LinkMailKind, token)
  const db = database.scoped({})
  const [brand, found] = await Promise.all([readBrand(db), findText(db, kind, mail.language)])
  const content = { ...found, kind, facts: mail.facts as Facts, brand, link, publicUrl: config.publicUrl }
  return { id, createdAt, to, link, ...render(content) }
}

const tokenOf = (secrets: Parts['secrets'], id: string, sealed: Buffer): string => {
  try {
    return secrets.open(sealed, bindingOf(id))
  } catch (err) {
    throw new Unreadable('no secret key opens the link of an e-mail', { cause: err })
  }
}

/** The age in seconds of the oldest waiting e-mail; 0 when none waits. */
export const oldestMailSeconds = async ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<number> => {
  const found = await store.selectOldestMail(database.scoped({}), now())
  return found?.oldest ? Math.max(0, (now().getTime() - found.oldest.getTime()) / 1000) : 0
}

/** Deletes expired e-mails and links. */
export const sweepMails = async ({ store: database, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
  for (const past of store.expiredMail(now())) await sweep(database, past)
}
