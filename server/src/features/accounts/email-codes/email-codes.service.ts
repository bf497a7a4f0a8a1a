/** Codes that are mailed to an address, each with a challenge. A code is valid only with its own challenge. */
import { randomBytes, randomInt } from 'node:crypto'
import type { Ctx, Parts, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { sweep } from '../../../db/sweep.ts'
import { AppError } from '../../../errors/app-error.ts'
import { fold } from '../../../values/text.ts'
import { digitsOf } from '../factors/codes.service.ts'
import { countCodeMail, queueCode } from '../mail/mail.service.ts'
import * as store from './email-codes.store.ts'

/** docs/contract.md, "Authentication". */
const codeMs = 10 * 60_000
const digits = 6
const answersMax = 5
const challengeBytes = 32
/** After this many wrong codes within an hour, from all sources, the address accepts no codes for an hour. */
const wrongCodesMax = 20
const hourMs = 3_600_000

/** The challenge to which the HMAC binds its code. */
const bindingOf = (challengeHash: Buffer): string => `email_codes ${challengeHash.toString('hex')}`

interface WantedCode {
  email: string
  askedTenant: string | null
  /** The setup link whose guest the code lets in. Such a code is no proof of an account. */
  setupLink?: { id: string; tenant: string }
  /** Whether an address without an account gets an e-mail that offers one. */
  isOffered: boolean
}

/**
 * Creates a code, and queues its e-mail within the limits. Does the same for an unknown address. Throws 429 after too many
 * wrong codes for the address.
 */
export const createCode = async (
  ctx: TransactionCtx,
  { email, askedTenant, setupLink, isOffered }: WantedCode,
): Promise<string> => {
  const { secrets, now } = ctx.parts
  requireOpen(ctx, await store.selectGuesses(ctx.db, fold(email), now()))
  const challenge = randomBytes(challengeBytes).toString('base64url')
  const challengeHash = sha256(challenge)
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  store.insertCode(ctx.db, {
    challengeHash,
    mac: secrets.mac(code, bindingOf(challengeHash)),
    emailFolded: fold(email),
    askedTenant,
    setupLinkId: setupLink?.id,
    expiresAt: new Date(now().getTime() + codeMs),
  })
  if (await countCodeMail(ctx, email)) {
    queueCode(ctx, { challengeHash, code, email, tenant: setupLink?.tenant, isOffered })
  }
  return challenge
}

/** Ends a code, and drops its e-mail if it still waits. */
export const endCode = ({ db }: TransactionCtx, challenge: string): void =>
  store.deleteCode(db, sha256(challenge))

/**
 * The address and account of a challenge. Undefined if its code is late, used, or for something else, or the account has
 * changed.
 */
export const findCode = ({ db, parts }: Ctx, challenge: string, setupLinkId?: string) =>
  store.selectCode(db, { challengeHash: sha256(challenge), setupLinkId, now: parts.now() })

/** Throws 429 while the address accepts no codes. */
const requireOpen = ({ parts }: TransactionCtx, guesses: Guesses | undefined): void => {
  if (!parts.config.rateLimit || !guesses || guesses.wrong_codes < wrongCodesMax) return
  const retryAfterSeconds = Math.ceil((guesses.expires_at.getTime() - parts.now().getTime()) / 1000)
  throw new AppError('tooManyCodes', `Too many wrong codes. Try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  })
}

type Guesses = NonNullable<Awaited<ReturnType<typeof store.selectGuesses>>>

const countWrong = (
  { db, parts }: TransactionCtx,
  emailFolded: string,
  guesses: Guesses | undefined,
): void => {
  const count = (guesses?.wrong_codes ?? 0) + 1
  const isRunning = guesses !== undefined && count < wrongCodesMax
  const expiresAt = isRunning ? guesses.expires_at : new Date(parts.now().getTime() + hourMs)
  store.upsertGuesses(db, { emailFolded, count: Math.min(count, wrongCodesMax), expiresAt })
}

/**
 * Gives a code to its challenge. A right code is used up. A wrong one counts, so the transaction must commit. `dead`
 * means that the challenge accepts no answer. Throws 429 after too many wrong codes for the address.
 */
export const giveCode = async (
  ctx: TransactionCtx,
  { challenge, emailFolded, code }: { challenge: string; emailFolded: string; code: string },
): Promise<'right' | 'wrong' | 'dead'> => {
  const { db, parts } = ctx
  const challengeHash = sha256(challenge)
  const now = parts.now()
  store.lockGuesses(db, emailFolded)
  const [guesses, taken] = await Promise.all([
    store.selectGuesses(db, emailFolded, now),
    store.takeGuess(db, { challengeHash, answersMax, now }),
  ])
  if (!taken) return 'dead'
  requireOpen(ctx, guesses)
  if (parts.secrets.isMac(taken.code_mac, digitsOf(code), bindingOf(challengeHash))) {
    store.deleteCode(db, challengeHash)
    return 'right'
  }
  countWrong(ctx, emailFolded, guesses)
  return 'wrong'
}

/** Deletes expired codes and counts. */
export const sweepCodes = async ({ store: database, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
  for (const past of store.pastCodes(now())) await sweep(database, past)
}
