import { randomUUID } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { countWrongCode, createTotpSecret, requireOpenToCodes, stepOf, totpUriOf } from './codes.service.ts'
import type { AddTotp, ConfirmTotp, TotpConfirmed, TotpSecret } from './factors.schemas.ts'
import {
  changingByPassword,
  changingOwnFactors,
  completeAddition,
  factorUnknown,
  requireRoomForFactor,
  totpPendingMs,
  type OwnFactors,
} from './factors.service.ts'
import * as store from './factors.store.ts'

/** The row to which the encryption binds a secret. */
export const totpBindingOf = (id: string): string => `factors ${id}`

/**
 * The addition of a TOTP factor, for the caller's locked account. Deletes another one that still waits for its first
 * code. Throws 503 without a secret key.
 */
export const totpCreation = ({ parts: { secrets, now } }: Ctx, name: string) => {
  const id = randomUUID()
  const secret = createTotpSecret()
  const sealed = secrets.seal(secret, totpBindingOf(id))
  return async (ctx: TransactionCtx, own: OwnFactors): Promise<TotpSecret> => {
    requireRoomForFactor(ctx, own)
    const { id: accountId } = own.account
    store.deletePendingTotpRows(ctx.db, accountId)
    store.insertTotp(ctx.db, { id, accountId, name, sealed, now: now() })
    const { userId, name: username } = ctx.actor
    record(ctx, { action: 'factor.begin', resourceId: userId, detail: naming({ username, name }) })
    return { id, secret, otpauth_uri: totpUriOf(secret, own.account.email) }
  }
}

/** Begins the addition of a TOTP factor. Throws 401 when the password is wrong. */
export const addTotp = async (ctx: Ctx, input: AddTotp): Promise<TotpSecret> =>
  changingByPassword(ctx, input, totpCreation(ctx, input.name))

/** Adds a confirmed TOTP factor with a secret from another system, in base32. Throws 503 without a secret key. */
export const insertImportedTotp = (
  { db, parts }: TransactionCtx,
  accountId: number,
  secret: string,
): void => {
  const id = randomUUID()
  const sealed = parts.secrets.seal(secret.toUpperCase().replace(/=+$/, ''), totpBindingOf(id))
  store.insertTotp(db, { id, accountId, name: importedName, sealed, now: parts.now() })
  store.updateTotpConfirmed(db, id, 0)
}

/** The person sees this name among their factors. */
const importedName = 'Authenticator'

/**
 * Confirms a TOTP factor by its first code. Throws 400 for a wrong code, and counts it among the account's wrong codes.
 */
export const confirmTotp = async (ctx: Ctx, id: string, { code }: ConfirmTotp): Promise<TotpConfirmed> => {
  const codes = await changingOwnFactors(ctx, async (ctx, own) => {
    const { secrets, now } = ctx.parts
    const begunAfter = new Date(now().getTime() - totpPendingMs)
    const pending = await store.selectPendingTotp(ctx.db, own.account.id, id, begunAfter)
    if (!pending?.secret_sealed) throw factorUnknown()
    requireRoomForFactor(ctx, own)
    requireOpenToCodes(ctx, own.account)
    const step = stepOf(secrets.open(pending.secret_sealed, totpBindingOf(pending.id)), code, now())
    if (step === undefined) {
      await countWrongCode(ctx, own.account)
      return undefined
    }
    store.updateTotpConfirmed(ctx.db, pending.id, step)
    return completeAddition(ctx, own, pending)
  })
  if (!codes) throw codeWrong()
  return { recovery_codes: codes }
}

const codeWrong = () =>
  invalid('code', 'is wrong: check the clock of the device, and type the present code', 'codeWrong')
