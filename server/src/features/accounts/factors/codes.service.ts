/** Codes that people type: codes of authenticator apps, and recovery codes. */
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { queueNotice } from '../mail/mail.service.ts'
import { updateWrongCodes, type LockedAccount } from './factors.store.ts'

const issuer = 'Tenantry'
/** Authenticator apps reliably support only these values. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 }
const secretBytes = 20
/** One step of clock drift (docs/contract.md, "Second factors"). */
const stepsOfDrift = 1

/** A new secret in base32. */
export const createTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/** The secret as a URI for the QR code of an authenticator app. */
export const totpUriOf = (secret: string, email: string): string =>
  new TOTP({ ...form, issuer, label: email, secret }).toString()

/**
 * Full-width, Arabic and Persian digits, which some input methods produce. The last four bits of each character are its
 * value.
 */
const foreignDigits = /[０-９٠-٩۰-۹]/g

/** The digits of a typed code, in ASCII. */
export const digitsOf = (code: string): string =>
  code.replaceAll(/\s/g, '').replaceAll(foreignDigits, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))

/** The time step of a code; undefined for a wrong code. */
export const stepOf = (secret: string, code: string, now: Date): number | undefined => {
  const token = digitsOf(code)
  // The library throws on six characters that take more than six bytes.
  if (!/^[0-9]{6}$/.test(token)) return undefined
  const totp = new TOTP({ ...form, secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const delta = totp.validate({ token, timestamp, window: stepsOfDrift })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

const codesCount = 10
/** Ten bytes are 80 bits, written as 16 characters of five bits. */
const codeBytes = 10
/** Crockford's base32, without letters that look like digits. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const createRecoveryCodes = (): string[] => Array.from({ length: codesCount }, createRecoveryCode)

const createRecoveryCode = (): string => {
  const bits = [...randomBytes(codeBytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const text = bits.replaceAll(/.{5}/g, (five) => letters.charAt(Number.parseInt(five, 2)))
  return text.replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The stored hash of a recovery code. Ignores case, spaces and hyphens. */
export const recoveryHashOf = (code: string): Buffer =>
  sha256(code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1'))

/** After this many wrong codes within an hour, from all sources, the account accepts no codes for an hour. */
const wrongCodesMax = 20
const hourMs = 3_600_000

/** Throws 429 while the account accepts no codes. Passkeys still work then. */
export const requireOpenToCodes = ({ parts }: Ctx, account: LockedAccount): void => {
  const { wrong_codes: count, wrong_codes_until: until } = account
  const leftMs = (until?.getTime() ?? 0) - parts.now().getTime()
  if (!parts.config.rateLimit || count < wrongCodesMax || leftMs <= 0) return
  const retryAfterSeconds = Math.ceil(leftMs / 1000)
  throw new AppError('tooManyCodes', `Too many wrong codes. Try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  })
}

/** Counts a wrong code of a locked account. The last allowed code writes an audit record and a notice to the person. */
export const countWrongCode = async (ctx: TransactionCtx, account: LockedAccount): Promise<void> => {
  const now = ctx.parts.now()
  const inAnHour = new Date(now.getTime() + hourMs)
  const { wrong_codes: before, wrong_codes_until: until } = account
  const isRunning = until !== null && until > now
  const count = isRunning ? before + 1 : 1
  const isLast = count === wrongCodesMax
  updateWrongCodes(
    ctx.db,
    account.id,
    Math.min(count, wrongCodesMax),
    isRunning && !isLast ? until : inAnHour,
  )
  if (!isLast) return
  queueNotice(ctx, 'codes_guessed', { accountId: account.id, email: account.email })
  await recordForAccount(ctx, account.id, { action: 'factor.codes_guessed' })
}
