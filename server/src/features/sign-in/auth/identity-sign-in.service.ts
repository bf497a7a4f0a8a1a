import { inTenant, inTransactionAfter, type Ctx } from '../../../context.ts'
import type { SecondStep } from '../../../http/schemas.ts'
import type { FederatedProof } from '../../../values/proofs.ts'
import { findUserToSignIn } from '../../accounts/accounts/credentials.service.ts'
import { createChallenge } from '../../accounts/factors/challenges.service.ts'
import { lockForFactors, needsSecondStep, readSecondStep } from '../../accounts/factors/factors.service.ts'
import { secondStepOf } from '../../accounts/factors/proofs.service.ts'
import * as store from './auth.store.ts'
import { requireSignInAllowed, wrongCredentials, type Open, type Proved } from './sign-in.service.ts'

/**
 * Opens for a provider's person whose identity belongs to the account, or returns the challenge of the second step.
 * Throws 401 for a disabled person.
 */
export const proveByIdentity = async <T>(
  ctx: Ctx,
  { account, proof }: Pick<Proved, 'account'> & { proof: FederatedProof },
  open: Open<T>,
): Promise<{ opened: T } | SecondStep> => {
  const user = await findUserToSignIn(ctx, account.id, null, proof)
  if (!user) throw wrongCredentials()
  await requireSignInAllowed(ctx, user, 'sign_in')
  const outcome = await inTransactionAfter(
    inTenant(ctx, user.tenant_id),
    (ctx) =>
      Promise.all([
        lockForFactors(ctx, account.id),
        store.lockUser(ctx.db, user.tenant_id, user.user_id),
        readSecondStep(ctx, account.id),
      ]),
    async (ctx, [locked, isPresent, step]) => {
      if (!locked || !isPresent) throw wrongCredentials()
      if (!needsSecondStep(step)) return { opened: await open(ctx, { account, user, amr: [proof] }) }
      const purpose = { accountId: account.id, sessionId: null, askedTenant: null, firstProof: proof }
      return { ...step, challenge: createChallenge(ctx, { ceremony: 'login', ...purpose }) }
    },
  )
  return 'challenge' in outcome ? secondStepOf(ctx, outcome.challenge, outcome) : outcome
}
