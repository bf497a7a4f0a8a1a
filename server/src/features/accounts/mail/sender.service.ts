import type { Parts } from '../../../context.ts'
import type { Config } from '../../../config/config.ts'
import { createSender, type QueueLimits, type Sender } from '../../../db/queue.ts'
import { sweep } from '../../../db/sweep.ts'
import type { LinkPage } from '../../../config/link-pages.ts'
import { mailKinds, type LinkMailKind, type MailKind } from '../../../mail/kinds.ts'
import { SendFailure, type Email, type Mailer } from '../../../mail/mailer.ts'
import { render } from '../../../mail/render.ts'
import type { Brand } from '../../../mail/brand.ts'
import { inert, type Facts } from '../../../mail/values.ts'
import { readBrand } from './brand.service.ts'
import { bindingOf } from './mail.service.ts'
import * as store from './mail.store.ts'
import { findText } from './found-text.service.ts'

/** At most ten attempts run at once. Postfix accepts 50 connections of one client. */
const mailLimits: QueueLimits = {
  slots: 10,
  slotMs: 3000,
  attempts: 50,
  attemptMs: 90_000,
  leaseMs: 180_000,
  pollMs: 1000,
}
/** The pauses after failed attempts. The last one repeats until the e-mail expires. */
const pausesMs = [10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000]

type SenderParts = Pick<Parts, 'cache' | 'config' | 'log' | 'metrics' | 'now' | 'secrets' | 'store'> & {
  mailer: Mailer
}

/** The console's pages that open a link. */
const ownPages: Record<LinkPage, string> = {
  reset: '/sign-in/reset-password',
  verification: '/sign-in/verify-email',
  invitation: '/sign-in/accept-invitation',
  sign_up: '/sign-in/sign-up',
}

/** The page of a link. The token is in the fragment, which browsers do not send to servers. */
export const pageOfLink = ({ publicUrl, linkPages }: Config, kind: LinkMailKind, token: string): string => {
  const { page } = mailKinds[kind]
  if (page === 'setup') return `${publicUrl}/console/setup#token=${token}`
  if (page === 'proof') return `${publicUrl}/sign-in#proof=${token}`
  return `${linkPages[page] ?? `${publicUrl}${ownPages[page]}`}#token=${token}`
}

/** Sends e-mails. A slow mail server does not delay other servers' e-mails. */
export const createMailSender = (parts: SenderParts, limits: Partial<QueueLimits> = {}): Sender =>
  createSender<store.QueuedMail>(parts, {
    table: 'mail_queue',
    limits: { ...mailLimits, ...limits },
    take: store.takeMails,
    send: async (mail, signal) => {
      await parts.mailer.send(await emailOf(parts, mail), signal)
      parts.metrics.mails.inc({ result: 'sent' })
    },
    pauseAfter: (mail, err) => {
      const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts, err }
      if (isFinal(err)) {
        parts.metrics.mails.inc({ result: 'refused' })
        parts.log.warn(about, 'an e-mail was refused for good')
        return undefined
      }
      parts.metrics.mails.inc({ result: 'failed' })
      parts.log.warn(about, 'an e-mail was not sent; it is tried again until it expires')
      return pausesMs[mail.attempts - 1] ?? pausesMs.at(-1)
    },
  })

/** Thrown for an e-mail whose token no secret key decrypts. */
class Unreadable extends Error {}

const isFinal = (err: unknown): boolean =>
  err instanceof Unreadable || (err instanceof SendFailure && err.isFinal)

/** Renders an e-mail when it is sent, so that the database never holds a text with a token. */
const emailOf = async (
  { config, secrets, store: database }: SenderParts,
  mail: store.QueuedMail,
): Promise<Email> => {
  const { id, email: to, created_at: createdAt } = mail
  const kind = mail.kind as MailKind
  const token = mail.sealed_token && tokenOf(secrets, id, mail.sealed_token)
  const hasLink = token !== null && 'page' in mailKinds[kind]
  const link = hasLink ? pageOfLink(config, kind as LinkMailKind, token) : undefined
  const db = database.scoped({})
  const [brand, found] = await Promise.all([readBrand(db), findText(db, kind, mail.language)])
  if (token !== null && !hasLink) {
    const facts = { at: '', ...(mail.facts as Partial<Facts>), code: token }
    const content = { ...found, kind, facts, link: undefined }
    return { id, createdAt, to, link: undefined, ...render({ ...content, ...withoutLinks(config, brand) }) }
  }
  const content = { ...found, kind, facts: mail.facts as Facts, brand, link, publicUrl: config.publicUrl }
  return { id, createdAt, to, link, ...render(content) }
}

/** Names the sender without an address: an e-mail with a code has nothing to open. */
const withoutLinks = ({ publicUrl }: Config, brand: Brand): { brand: Brand; publicUrl: string } => {
  const { support_url: _, ...rest } = brand
  return { brand: rest, publicUrl: inert(new URL(publicUrl).host) }
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
