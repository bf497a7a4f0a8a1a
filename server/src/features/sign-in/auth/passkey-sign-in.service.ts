/** The sign-in with a passkey as the only proof. */
import { inTenant, inTransactionAfter, type Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { PasskeyRequestOptions } from '../../../http/schemas.ts'
import { findUserToSignIn, type KnownLogin } from '../../accounts/accounts/credentials.service.ts'
import { createPasskeyLogin, spendPasskeyLogin } from '../../accounts/factors/challenges.service.ts'
import type { PasskeyAnswer } from '../../accounts/factors/factors.schemas.ts'
import { lockForFactors } from '../../accounts/factors/factors.service.ts'
import {
  challengeOf,
  findAccountOfPasskey,
  isPasskeyKnown,
  requestOptions,
  requirePasskeys,
} from '../../accounts/factors/passkeys.service.ts'
import { amrOf, spendProof, verifyAnswer, type Proof } from '../../accounts/factors/proofs.service.ts'
import type { PasskeyLogin, TokenPair } from './auth.schemas.ts'
import { lockUser } from './auth.store.ts'
import {
  challengeDead,
  complete,
  factorWrong,
  openSignIn,
  recordFailedLogin,
  requireSignInAllowed,
  unlessRemoved,
  type Account,
  type Open,
  type Purpose,
} from './sign-in.service.ts'

/** Begins a sign-in that needs only a passkey. */
export const beginPasskeyLogin = async (ctx: Ctx): Promise<PasskeyRequestOptions> =>
  requestOptions(requirePasskeys(ctx), await createPasskeyLogin(ctx), [])

const passkeyUnknown = () =>
  new AppError('passkeyUnknown', 'No account here has this passkey. Sign in another way')

/** The refusal of a passkey. Only its device knows its random id, so an unknown id reveals no account. */
const refusalFor = async (ctx: Ctx, { id }: PasskeyAnswer): Promise<AppError> =>
  (await isPasskeyKnown(ctx, id)) ? factorWrong() : passkeyUnknown()

/** Signs in with a passkey as the only proof. All other faults of a known passkey get the same 401. */
export const loginWithPasskey = async (ctx: Ctx, input: PasskeyLogin): Promise<TokenPair> =>
  complete(ctx, await proveByPasskey(ctx, input, openSignIn))

/** Opens with a passkey as the only proof. Throws as `loginWithPasskey` does. */
export const proveByPasskey = async <T>(
  ctx: Ctx,
  input: PasskeyLogin,
  open: Open<T>,
  purpose: Purpose = 'sign_in',
): Promise<T> => {
  requirePasskeys(ctx)
  const { response, tenant_id: asked } = input
  const challenge = challengeOf(response)
  if (!(await spendPasskeyLogin(ctx, challenge))) throw challengeDead()
  const account = await findAccountOfPasskey(ctx, response)
  const user = account && (await findUserToSignIn(ctx, account.id, asked, 'pop'))
  const proof = account && (await verifyAnswer(ctx, account.id, { passkey: response }, challenge))
  if (!account || !user || !proof) {
    await recordFailedLogin(ctx, user)
    throw await refusalFor(ctx, response)
  }
  await requireSignInAllowed(ctx, user, purpose)
  return unlessRemoved(openByPasskey(ctx, { account, user, proof }, open), factorWrong)
}

const openByPasskey = <T>(
  ctx: Ctx,
  { account, user, proof }: { account: Account; user: KnownLogin['user']; proof: Proof },
  open: Open<T>,
): Promise<T> =>
  inTransactionAfter(
    inTenant(ctx, user.tenant_id),
    (ctx) => Promise.all([lockForFactors(ctx, account.id), lockUser(ctx.db, user.tenant_id, user.user_id)]),
    async (ctx, [locked, isPresent]) => {
      if (!locked || !isPresent || !(await spendProof(ctx, account.id, proof))) throw factorWrong()
      return open(ctx, { account, user, amr: [amrOf[proof.kind], 'mfa'] })
    },
  )
