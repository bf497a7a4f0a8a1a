/** Proofs of a second factor at a sign-in. The service verifies a proof first. The sign-in's transaction uses it up. */
import type { Ctx, TransactionCtx } from '../../../context.ts'
import type { SecondStep } from '../../../http/schemas.ts'
import { relyingPartyOf } from '../../../config/relying-party.ts'
import { recoveryHashOf, stepOf } from './codes.service.ts'
import type { PasskeyAnswer } from './factors.schemas.ts'
import type { OwnFactors } from './factors.service.ts'
import * as store from './factors.store.ts'
import { passkeysOf, requestOptions, verifyPasskey, type PasskeyUse } from './passkeys.service.ts'
import { totpBindingOf } from './totp.service.ts'

/** An answer to a challenge, of one of three kinds. */
export type Answer = { code: string } | { recoveryCode: string } | { passkey: PasskeyAnswer }

/** A right answer. Another request may already have used it up. */
export type Proof =
  | { kind: 'totp'; id: string; step: number }
  | { kind: 'recovery_code'; hash: Buffer }
  | ({ kind: 'passkey' } & PasskeyUse)

/** The values that proofs add to `amr` (RFC 8176). */
export const amrOf: Record<Proof['kind'], string> = { totp: 'otp', recovery_code: 'otp', passkey: 'pop' }

/** True if a person typed the answer, so that it can be a guess. */
export const isCode = (answer: Answer): boolean => !('passkey' in answer)

/** Verifies an answer for an account. Undefined for a wrong answer. */
export const verifyAnswer = async (
  ctx: Ctx,
  accountId: number,
  answer: Answer,
  challenge: string,
): Promise<Proof | undefined> => {
  if ('recoveryCode' in answer) return { kind: 'recovery_code', hash: recoveryHashOf(answer.recoveryCode) }
  const factors = await store.selectFactors(ctx.db, accountId)
  if ('code' in answer) return verifyCode(ctx, factors, answer.code)
  const use = await verifyPasskey(ctx, passkeysOf(ctx, factors), answer.passkey, challenge)
  return use && { kind: 'passkey', ...use }
}

const verifyCode = (
  { parts: { secrets, now } }: Ctx,
  factors: store.FactorRow[],
  code: string,
): Proof | undefined => {
  for (const { id, secret_sealed: sealed } of factors) {
    const step = sealed ? stepOf(secrets.open(sealed, totpBindingOf(id)), code, now()) : undefined
    if (step !== undefined) return { kind: 'totp', id, step }
  }
  return undefined
}

/** Uses up a proof in one statement. False when it is already used, or when its factor no longer exists. */
export const spendProof = async (
  { db, parts }: TransactionCtx,
  accountId: number,
  proof: Proof,
): Promise<boolean> => {
  const now = parts.now()
  switch (proof.kind) {
    case 'totp':
      return (await store.updateTotpUsed(db, { ...proof, accountId, now })) === 1
    case 'passkey':
      return (await store.updatePasskeyUsed(db, { ...proof, accountId, now })) === 1
    case 'recovery_code':
      return (await store.deleteRecoveryCodeRow(db, accountId, proof.hash)) === 1
  }
}

/** The data of the error `factorRequired`. */
export const secondStepOf = (
  ctx: Ctx,
  challenge: string,
  { factors, recoveryCodes }: Omit<OwnFactors, 'account'>,
): SecondStep => {
  const party = relyingPartyOf(ctx.parts.config)
  const passkeys = passkeysOf(ctx, factors)
  const hasTotp = factors.some(({ type }) => type === 'totp')
  return {
    challenge,
    methods: [
      ...(hasTotp ? (['totp'] as const) : []),
      ...(passkeys.length > 0 ? (['passkey'] as const) : []),
      ...(recoveryCodes > 0 ? (['recovery_code'] as const) : []),
    ],
    passkey_options: party && passkeys.length > 0 ? requestOptions(party, challenge, passkeys) : null,
  }
}
