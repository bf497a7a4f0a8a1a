import { createRecoveryCodes, recoveryHashOf } from './codes.service.ts'
import { requireMfa } from '../../../access/policies.ts'
import { keepingWaysInOf } from '../../../access/ways-in.ts'
import {
  inTransactionAfter,
  tokenInvalid,
  type Ctx,
  type Parts,
  type TransactionCtx,
  type EarlyCtx,
} from '../../../context.ts'
import { sweep } from '../../../db/sweep.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween } from '../../audit/audit/audit.service.ts'
import { keepingOwnWays } from '../accounts/own-ways.service.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { passwordWrong, requireOwnPassword } from '../accounts/credentials.service.ts'
import { queueNotice } from '../mail/mail.service.ts'
import { addProofs, dropMfa, endAccountSessions, ownSession } from '../sessions/sessions.service.ts'
import type { Factor, ProvePassword, RecoveryCodes } from './factors.schemas.ts'
import * as store from './factors.store.ts'

/** The most second factors of an account (decision 0104). */
export const factorsMax = 10

/** The caller's locked account with its factors. */
export interface OwnFactors {
  account: store.LockedAccount
  factors: store.FactorRow[]
  recoveryCodes: number
}

export const factorUnknown = () => new AppError('factorUnknown', 'The account has no such second factor')

/**
 * Locks an account before its factors are proved or changed; undefined when it no longer exists. Call it before its
 * users are locked.
 */
export const lockForFactors = ({ db }: EarlyCtx, accountId: number) => store.lockAccount(db, accountId)

/** Reads an account's factors and the number of its recovery codes. */
export const readSecondStep = async ({ db }: EarlyCtx, accountId: number) => {
  const [factors, codes] = await Promise.all([
    store.selectFactors(db, accountId),
    store.countRecoveryCodes(db, accountId),
  ])
  return { factors, recoveryCodes: codes?.count ?? 0 }
}

/**
 * Whether a sign-in needs a second step. Recovery codes suffice: the loss of a secret key deletes TOTP factors, but not
 * recovery codes.
 */
export const needsSecondStep = ({ factors, recoveryCodes }: Omit<OwnFactors, 'account'>): boolean =>
  factors.length > 0 || recoveryCodes > 0

/** Runs a change of the caller's factors, with the account locked. */
export const changingOwnFactors = <T>(
  ctx: Ctx,
  change: (ctx: TransactionCtx, own: OwnFactors) => Promise<T>,
): Promise<T> => {
  const { accountId } = ownSession(ctx.actor)
  return inTransactionAfter(
    ctx,
    (ctx) => Promise.all([store.lockAccount(ctx.db, accountId), readSecondStep(ctx, accountId)]),
    async (ctx, [account, step]) => {
      if (!account) throw tokenInvalid()
      return change(ctx, { account, ...step })
    },
  )
}

/** Runs a change of the caller's factors, with the account locked, if the password is right. Otherwise throws 401. */
export const changingByPassword = async <T>(
  ctx: Ctx,
  { password }: ProvePassword,
  change: (ctx: TransactionCtx, own: OwnFactors) => Promise<T>,
): Promise<T> => {
  const proved = await requireOwnPassword(ctx, password)
  return changingOwnFactors(ctx, async (ctx, own) => {
    if (own.account.password_hash !== proved.password_hash) throw passwordWrong()
    return change(ctx, own)
  })
}

/** Throws 403 if the account has a factor that the session has not used. Throws 400 for too many factors. */
export const requireRoomForFactor = ({ actor }: TransactionCtx, own: OwnFactors): void => {
  if (needsSecondStep(own)) requireMfa(actor)
  if (own.factors.length >= factorsMax) {
    throw new AppError('factorsFull', `An account has at most ${factorsMax} second factors. Remove one first`)
  }
}

/**
 * Completes the addition of a factor. The first factor creates recovery codes, marks its own session with `mfa`, and
 * ends the other sessions.
 */
export const completeAddition = async (
  ctx: TransactionCtx,
  own: OwnFactors,
  { type, name }: Pick<store.FactorRow, 'type' | 'name'>,
): Promise<string[]> => {
  const { account, factors } = own
  const isFirst = factors.length === 0
  if (isFirst) {
    endAccountSessions(ctx, account.id, ownSession(ctx.actor).sessionId)
    addProofs(ctx, [type === 'totp' ? 'otp' : 'pop', 'mfa'])
  }
  queueNotice(ctx, 'factor_added', { accountId: account.id, email: account.email }, { factor: name })
  await recordForAccount(ctx, account.id, {
    action: 'factor.add',
    detail: changesBetween({}, { type, name }),
  })
  return isFirst ? replaceRecoveryCodes(ctx, account.id) : []
}

const replaceRecoveryCodes = ({ db }: TransactionCtx, accountId: number): string[] => {
  const codes = createRecoveryCodes()
  store.deleteRecoveryCodeRows(db, accountId)
  store.insertRecoveryCodes(db, accountId, codes.map(recoveryHashOf))
  return codes
}

/** The factors of an account, as the API shows them. */
export const listFactorsOfAccount = ({ db }: Ctx, accountId: number): Promise<Factor[]> =>
  store.selectListedFactors(db, accountId)

const factorIn = (factors: store.FactorRow[], id: string): store.FactorRow => {
  const factor = factors.find((one) => one.id === id.toLowerCase())
  if (!factor) throw factorUnknown()
  return factor
}

/**
 * Removes a factor of the caller, and ends the caller's other sessions. Removing the last factor also removes the
 * recovery codes. Throws 400 for the last factor of the last break-glass user.
 */
export const removeFactor = (ctx: Ctx, id: string, input: ProvePassword): Promise<null> =>
  changingByPassword(ctx, input, async (ctx, { account, factors }) => {
    const factor = factorIn(factors, id)
    requireMfa(ctx.actor)
    await keepingOwnWays(ctx, account.id, () =>
      keepingWaysInOf(ctx, account.id, async () => store.deleteFactorRow(ctx.db, account.id, factor.id)),
    )
    if (factors.length === 1) {
      store.deleteRecoveryCodeRows(ctx.db, account.id)
      dropMfa(ctx)
    }
    endAccountSessions(ctx, account.id, ownSession(ctx.actor).sessionId)
    const { type, name } = factor
    queueNotice(ctx, 'factor_removed', { accountId: account.id, email: account.email }, { factor: name })
    await recordForAccount(ctx, account.id, {
      action: 'factor.remove',
      detail: changesBetween({ type, name }, {}),
    })
    return null
  })

/** Replaces the caller's recovery codes. */
export const renewRecoveryCodes = (ctx: Ctx, input: ProvePassword): Promise<RecoveryCodes> =>
  changingByPassword(ctx, input, async (ctx, own) => {
    if (!needsSecondStep(own)) {
      throw new AppError('factorMissing', 'Recovery codes stand in for a second factor. Add one first')
    }
    requireMfa(ctx.actor)
    await recordForAccount(ctx, own.account.id, { action: 'factor.recovery_codes' })
    return { recovery_codes: replaceRecoveryCodes(ctx, own.account.id) }
  })

/**
 * Deletes the factors, recovery codes and challenges of a locked account; its caller ends the sessions. Does not
 * protect the last break-glass user: a person who proves the mailbox must be able to take over an account that a tenant
 * prepared.
 */
export const deleteFactors = ({ db }: TransactionCtx, accountId: number): void =>
  store.deleteFactorsOfAccount(db, accountId)

/** Another person, who loses factors. `actorId` is the administrator, or 0 for an operator. */
interface OtherPerson {
  accountId: number
  actorId: number
}

/**
 * Removes all factors of another person, ends the person's sessions and notifies the person. Throws 400 for the last
 * break-glass user.
 */
export const resetFactors = (ctx: TransactionCtx, person: OtherPerson): Promise<void> =>
  takeFactors(ctx, person, (factors) => factors)

/**
 * Removes one factor of another person, ends the person's sessions and notifies the person. Throws 404 for an unknown
 * factor, and 400 for the last factor of the last break-glass user.
 */
export const resetFactor = (ctx: TransactionCtx, person: OtherPerson, id: string): Promise<void> =>
  takeFactors(ctx, person, (factors) => [factorIn(factors, id)])

/** Removing the last factor also removes the recovery codes. Locks the account, so call it before a user is locked. */
const takeFactors = async (
  ctx: TransactionCtx,
  { accountId, actorId }: OtherPerson,
  choose: (factors: store.FactorRow[]) => store.FactorRow[],
): Promise<void> => {
  const [account, { factors }] = await Promise.all([
    store.lockAccount(ctx.db, accountId),
    readSecondStep(ctx, accountId),
  ])
  if (!account) return
  const taken = choose(factors)
  const left = factors.filter((one) => !taken.includes(one))
  await keepingWaysInOf(ctx, accountId, async () => {
    for (const { id } of taken) store.deleteFactorRow(ctx.db, accountId, id)
  })
  if (left.length === 0) deleteFactors(ctx, accountId)
  for (const { name } of taken) {
    queueNotice(ctx, 'factor_removed', { accountId, email: account.email }, { factor: name })
  }
  endAccountSessions(ctx, accountId)
  const detail = changesBetween({ factors: namesOf(factors) }, { factors: namesOf(left) })
  await recordForAccount(ctx, accountId, { action: 'factor.reset', detail, actorId })
}

const namesOf = (factors: store.FactorRow[]): string[] => factors.map(({ name }) => name)

/** Deletes every TOTP factor after the loss of the secret key that sealed them. Passkeys and recovery codes stay. */
export const forgetTotp = ({ db }: TransactionCtx): void => store.deleteTotpRows(db)

/** The time that a TOTP factor waits for its first code. */
export const totpPendingMs = 15 * 60_000

/** Deletes expired challenges, and TOTP factors that got no first code in time. */
export const sweepChallenges = async ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<void> => {
  const begunBefore = new Date(now().getTime() - totpPendingMs)
  for (const past of store.expiredChallenges(now(), begunBefore)) await sweep(database, past)
}
