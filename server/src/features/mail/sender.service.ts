import type { Parts } from '../../context.ts'
import type { Config } from '../../start/config.ts'
import type { Language } from '../../mail/language.ts'
import { SendFailure, type Email, type Mailer } from '../../mail/mailer.ts'
import { render } from '../../mail/render.ts'
import type { Facts, LinkMailKind, MailKind } from '../../mail/texts.ts'
import { sealOf } from './mail.service.ts'
import * as store from './mail.store.ts'

/** E-mails that a replica sends at once. */
const batchSize = 10
/** A replica that takes an e-mail has it for so long. Nobody else sends it meanwhile, unless the replica dies. */
const leaseMs = 180_000
/** The longest attempt, well within the lease. */
const attemptMs = 90_000
/** The first pause after a failed attempt. Each further one is twice as long, up to the longest. */
const firstPauseMs = 10_000
const longestPauseMs = 600_000

type SenderParts = Pick<Parts, 'config' | 'log' | 'mailer' | 'metrics' | 'now' | 'secrets' | 'store'>

/** Pages of the console that links open. The token stands in the fragment, which browsers send to nobody. */
const pages: Record<LinkMailKind, string> = {
  reset: 'reset-password',
  verification: 'verify-email',
  change: 'verify-email',
  invitation: 'accept-invitation',
}

/** The page of a link, with its token. */
export const pageOfLink = ({ publicUrl }: Config, kind: LinkMailKind, token: string): string =>
  `${publicUrl}/console/${pages[kind]}#token=${token}`

/**
 * Takes and sends e-mails that are due. Returns how many it took; 0 when none is left. Another replica never takes the
 * same ones. An e-mail that fails stays for a later attempt, until it expires.
 */
export const sendDueMails = async (parts: SenderParts): Promise<number> => {
  const { mailer, store: database, now } = parts
  if (!mailer) return 0
  if (!(await store.selectDueMail(database.scoped({}), now()))) return 0
  const until = new Date(now().getTime() + leaseMs)
  const taken = await database.transaction({}, (db) =>
    store.takeMails(db, { now: now(), until, limit: batchSize }),
  )
  await Promise.all(taken.map((mail) => attempt(parts, mailer, mail)))
  return taken.length
}

const attempt = async (parts: SenderParts, mailer: Mailer, mail: store.QueuedMail): Promise<void> => {
  const { log, metrics, now } = parts
  const db = parts.store.scoped({})
  const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts }
  try {
    await within(attemptMs, mailer.send(emailOf(parts, mail)))
    metrics.mails.inc({ result: 'sent' })
  } catch (err) {
    if (!isFinal(err)) {
      metrics.mails.inc({ result: 'failed' })
      log.warn({ ...about, err }, 'an e-mail was not sent; it is tried again until it expires')
      await store.updateMailDue(db, mail, new Date(now().getTime() + pauseAfter(mail.attempts)))
      return
    }
    metrics.mails.inc({ result: 'refused' })
    log.warn({ ...about, err }, 'an e-mail was refused for good')
  }
  await store.deleteMailRow(db, mail.id)
}

/** Thrown for an e-mail whose token no secret key opens. */
class Unreadable extends Error {}

const isFinal = (err: unknown): boolean =>
  err instanceof Unreadable || (err instanceof SendFailure && err.isFinal)

const pauseAfter = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 10))

const within = async (ms: number, work: Promise<void>): Promise<void> => {
  const timer = Promise.withResolvers<never>()
  const late = setTimeout(() => timer.reject(new SendFailure('the mail server took too long', false)), ms)
  try {
    await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(late)
  }
}

/** Renders at the moment of sending, so that the database never holds a text with a token. */
const emailOf = ({ config, secrets }: SenderParts, mail: store.QueuedMail): Email => {
  const { id, email: to, created_at: createdAt } = mail
  const { publicUrl } = config
  const kind = mail.kind as MailKind
  const token = mail.sealed_token && tokenOf(secrets, id, mail.sealed_token)
  const link = token === null ? undefined : pageOfLink(config, kind as LinkMailKind, token)
  const facts = mail.facts as Facts
  return {
    id,
    createdAt,
    to,
    link,
    ...render({ kind, language: mail.language as Language, facts, link, publicUrl }),
  }
}

const tokenOf = (secrets: Parts['secrets'], id: string, sealed: Buffer): string => {
  try {
    return secrets.open(sealed, sealOf(id))
  } catch (err) {
    throw new Unreadable('no secret key opens the link of an e-mail', { cause: err })
  }
}

/** The age of the oldest e-mail that waits; 0 when none waits. */
export const oldestMailSeconds = async ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<number> => {
  const found = await store.selectOldestMail(database.scoped({}), now())
  return found?.oldest ? Math.max(0, (now().getTime() - found.oldest.getTime()) / 1000) : 0
}

/** Deletes e-mails and links that have expired. */
export const sweepMails = ({ store: database, now }: Pick<Parts, 'store' | 'now'>): Promise<void> =>
  store.deleteExpiredRows(database.scoped({}), now())
