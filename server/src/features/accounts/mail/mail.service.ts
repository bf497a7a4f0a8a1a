import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Invalidation, Limit } from '../../../cache/cache.ts'
import type { Ctx, Parts, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { languageOf } from '../../../mail/language.ts'
import { deviceOf } from '../../../mail/device.ts'
import type { LinkKind, LinkMailKind, NoticeKind } from '../../../mail/kinds.ts'
import { momentOf, type Facts } from '../../../mail/values.ts'
import { sourceOf } from '../../../values/source.ts'
import { readBrand } from './brand.service.ts'
import * as store from './mail.store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** docs/contract.md, "E-mail". */
const linkMs: Record<LinkKind, number> = {
  reset: 30 * minuteMs,
  verification: dayMs,
  change: dayMs,
  proof: 30 * minuteMs,
}
const noticeMs = dayMs
const mailsPerHour = 5
const codeMailsOfSource = 3
/** A device counts as new after this time without a sign-in. */
const deviceMs = 90 * dayMs

const tokenBytes = 32

/** The row to which the encryption binds the token of a queued e-mail. */
export const bindingOf = (mailId: string): string => `mail_queue ${mailId}`

/** Whether the service can mail links. That needs a mail server, and a secret key for the queue. */
export const isMailOn = ({ mailer, secrets }: Pick<Parts, 'mailer' | 'secrets'>): boolean =>
  mailer !== undefined && secrets.isOn

/** Whether the service writes e-mails to files. A link in a file proves no mailbox. */
export const isMailInFiles = (parts: Pick<Parts, 'mailer' | 'secrets'>): boolean =>
  isMailOn(parts) && parts.mailer?.writesFiles === true

/** Throws 503 if the service cannot mail links. */
export const requireMail = ({ parts }: Ctx): void => {
  if (!isMailOn(parts)) {
    throw new AppError('mailOff', 'This installation sends no e-mails. Ask the operator to set SMTP_URL')
  }
}

/** The links that a source may request or try within 15 minutes. A whole office can share one source. */
const perSource: Limit = { name: 'link-source', points: 60, windowSeconds: 900 }

/** Throws 429 when the source of the request has requested or tried too many links. */
export const countSource = async ({ parts, origin }: Ctx): Promise<void> => {
  if (!parts.config.rateLimit) return
  const { allowed, retryAfterSeconds } = await parts.cache.consume(perSource, sourceOf(origin.ip))
  if (!allowed) throw new AppError('tooManyRequests', 'Too many requests. Slow down', { retryAfterSeconds })
}

/** Makes every replica look for e-mails after the commit. */
const mailQueued: Invalidation = { kind: 'queued', queue: 'mail' }

const announceMail = ({ changes }: TransactionCtx): void => void changes.push(mailQueued)

const languagesOf = ({ origin }: Ctx): string => languageOf(origin.acceptLanguage) ?? 'en'

/**
 * Counts an e-mail of a kind to an address. Returns false for the sixth within an hour, which the caller drops. Counts
 * for an unknown address too, so that both take equally long.
 */
export const countMail = (ctx: TransactionCtx, kind: LinkMailKind, email: string): Promise<boolean> =>
  countUpTo(ctx, { kind, email }, mailsPerHour)

const countUpTo = async (
  { db, parts }: TransactionCtx,
  mail: { kind: string; email: string },
  max: number,
): Promise<boolean> => {
  const counted = { ...mail, now: parts.now() }
  store.lockCount(db, counted)
  return (await store.insertCount(db, counted, max)) === 1
}

/** Counts an e-mail with a code, as `countMail` does. One source gets only some of them, so that it blocks nobody. */
export const countCodeMail = async (ctx: TransactionCtx, email: string): Promise<boolean> => {
  const ofSource = { kind: `email_code ${sourceOf(ctx.origin.ip)}`, email }
  return (
    (await countUpTo(ctx, ofSource, codeMailsOfSource)) &&
    countUpTo(ctx, { kind: 'email_code', email }, mailsPerHour)
  )
}

interface CodeMail {
  challengeHash: Buffer
  code: string
  email: string
  /** The tenant of a setup link. */
  tenant: string | undefined
  /** Whether an address without an account gets an e-mail that offers one. */
  isOffered: boolean
}

/** Queues the e-mail of a code. The statement is the same with and without an account. */
export const queueCode = (ctx: TransactionCtx, { code, ...mail }: CodeMail): void => {
  const id = randomUUID()
  const { secrets, now } = ctx.parts
  const sealedToken = secrets.seal(code, bindingOf(id))
  store.insertCodeMail(ctx.db, { ...mail, id, sealedToken, language: languagesOf(ctx), now: now() })
  announceMail(ctx)
}

interface NewLink {
  kind: LinkKind
  accountId: number
  email: string
  /** The application whose sign-in requests the link. */
  applicationId?: number | undefined
}

/** Creates a link for an account, and queues its e-mail. For an unknown account the same statements do nothing. */
export const queueLink = (ctx: TransactionCtx, { kind, accountId, email, applicationId }: NewLink): void => {
  const { secrets, now } = ctx.parts
  const id = randomUUID()
  const { token, tokenHash } = newLinkToken()
  const expiresAt = new Date(now().getTime() + linkMs[kind])
  store.insertLink(ctx.db, { tokenHash, accountId, kind, email, applicationId, expiresAt })
  const sealedToken = secrets.seal(token, bindingOf(id))
  store.insertLinkMail(ctx.db, { id, tokenHash, sealedToken, language: languagesOf(ctx), now: now() })
  announceMail(ctx)
}

interface ProofMail {
  /** 0 for an address without an account. Then only `isOfNobody` creates a link. */
  accountId: number
  isOfNobody: boolean
  email: string
  interactionId: string
  tenant: string
}

/** Creates the link that proves an account or an address in an interaction, and queues its e-mail. */
export const queueProof = (ctx: TransactionCtx, { tenant, ...link }: ProofMail): void => {
  const { secrets, now } = ctx.parts
  const id = randomUUID()
  const { token, tokenHash } = newLinkToken()
  const expiresAt = new Date(now().getTime() + linkMs.proof)
  store.insertLink(ctx.db, { ...link, tokenHash, kind: 'proof', applicationId: undefined, expiresAt })
  // The page of the link needs the interaction of its browser.
  const sealedToken = secrets.seal(`${token}&interaction=${link.interactionId}`, bindingOf(id))
  store.insertLinkMail(ctx.db, {
    id,
    tokenHash,
    sealedToken,
    facts: { tenant },
    language: languagesOf(ctx),
    now: now(),
  })
  announceMail(ctx)
}

interface TenantMail {
  email: string
  token: string
  tenant: string
  /** The language for a person without an account. If undefined, the sender's language applies. */
  language?: string | undefined
  expiresAt: Date
}

/** Queues the e-mail of an invitation. A person with an account gets it in the language of the account. */
export const queueInvitation = (
  ctx: TransactionCtx,
  {
    tenantId,
    invitationId,
    ...mail
  }: TenantMail & {
    tenantId: string
    invitationId: number
    inviter: string | undefined
  },
): void => {
  const of = {
    kind: 'invitation',
    invitation: { tenantId, id: invitationId },
    setupLinkId: undefined,
  } as const
  queueTenantMail(ctx, of, mail)
}

/** Queues the e-mail of a setup link, as `queueInvitation` does. */
export const queueSetupLink = (
  ctx: TransactionCtx,
  { setupLinkId, ...mail }: TenantMail & { setupLinkId: string },
): void => queueTenantMail(ctx, { kind: 'setup', invitation: undefined, setupLinkId }, mail)

const queueTenantMail = (
  ctx: TransactionCtx,
  of: Pick<Parameters<typeof store.insertTenantMail>[1], 'kind' | 'invitation' | 'setupLinkId'>,
  { token, tenant, inviter, ...mail }: TenantMail & { inviter?: string | undefined },
): void => {
  const id = randomUUID()
  const { secrets, now } = ctx.parts
  const [sealedToken, language] = [secrets.seal(token, bindingOf(id)), mail.language ?? languagesOf(ctx)]
  const facts = { tenant, inviter, at: momentOf(mail.expiresAt) }
  store.insertTenantMail(ctx.db, { ...of, ...mail, id, sealedToken, language, facts, now: now() })
  announceMail(ctx)
}

export const newLinkToken = (): { token: string; tokenHash: Buffer } => {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, tokenHash: sha256(token) }
}

/** Queues the e-mail of a sign-up. The e-mail quotes no text of a stranger. */
export const queueSignUp = (
  ctx: TransactionCtx,
  { token, ...mail }: { token: string; tokenHash: Buffer; email: string; expiresAt: Date },
): void => {
  const id = randomUUID()
  const { secrets, now } = ctx.parts
  const sealedToken = secrets.seal(token, bindingOf(id))
  store.insertSignUpMail(ctx.db, { ...mail, id, sealedToken, language: languagesOf(ctx), now: now() })
  announceMail(ctx)
}

/** Queues a security notice. Notices need no request, and have no limit. */
export const queueNotice = (
  ctx: TransactionCtx,
  kind: NoticeKind,
  to: { accountId: number; email: string },
  facts: Omit<Facts, 'at'> = {},
): void => {
  if (!ctx.parts.mailer) return
  const now = ctx.parts.now()
  store.insertNotice(ctx.db, {
    ...to,
    id: randomUUID(),
    kind,
    language: languagesOf(ctx),
    facts: { ...facts, at: momentOf(now) },
    now,
    expiresAt: new Date(now.getTime() + noticeMs),
  })
  announceMail(ctx)
}

const deviceKeySeal = 'device_keys 1'

/** The key of device HMACs. The first sign-in of the installation creates it. */
const readDeviceKey = async ({ db, parts: { secrets } }: TransactionCtx): Promise<Buffer> => {
  const stored = await store.selectDeviceKey(db)
  if (stored) return keyIn(secrets, stored)
  const sealed = secrets.seal(randomBytes(tokenBytes).toString('base64'), deviceKeySeal)
  await store.insertDeviceKey(db, sealed)
  return keyIn(secrets, (await store.selectDeviceKey(db)) ?? { sealed_key: sealed })
}

const keyIn = (secrets: Parts['secrets'], { sealed_key: sealed }: { sealed_key: Buffer }): Buffer =>
  Buffer.from(secrets.open(sealed, deviceKeySeal), 'base64')

/**
 * Stores the device of a sign-in. Returns true if the account has not used the device for 90 days. Returns false for an
 * account without any known device: it was imported or created, or had no e-mail yet.
 */
const noteDevice = async (ctx: TransactionCtx, accountId: number): Promise<boolean> => {
  const { browser, system } = deviceOf(ctx.origin.userAgent)
  const key = await readDeviceKey(ctx)
  const device = createHmac('sha256', key).update(`${accountId} ${browser} ${system}`).digest()
  const now = ctx.parts.now()
  const row = await store.upsertDevice(ctx.db, accountId, device, now)
  if (!row?.any_seen_before) return false
  return now.getTime() - (row.seen_before?.getTime() ?? 0) > deviceMs
}

/** Stores a device without a notice, because the person has just registered on it. */
export const keepDevice = async (ctx: TransactionCtx, accountId: number): Promise<void> => {
  if (isMailOn(ctx.parts)) await noteDevice(ctx, accountId)
}

/**
 * Stores the device of a sign-in, and notifies the person if it is new. Does nothing if the service cannot mail links.
 */
export const watchDevice = async (
  ctx: TransactionCtx,
  to: { accountId: number; email: string },
): Promise<void> => {
  if (!isMailOn(ctx.parts) || !(await noteDevice(ctx, to.accountId))) return
  const { new_device_notice: isTold = true } = await readBrand(ctx.db)
  if (!isTold) return
  const { browser, system } = deviceOf(ctx.origin.userAgent)
  queueNotice(ctx, 'new_device', to, { browser, system })
}

/** Deletes the rows that a lost secret key has sealed: waiting links, and seen devices. */
export const forgetSealed = (ctx: TransactionCtx): void => store.deleteSealedRows(ctx.db)
