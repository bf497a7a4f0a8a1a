/** The second factor that a tenant or an application requires, if a connection's sign-in lacks it. */
import { inTenant, inTransactionAfter, type Ctx } from '../../../../context.ts'
import type { SecondStep } from '../../../../http/schemas.ts'
import { createChallenge } from '../../../accounts/factors/challenges.service.ts'
import { lockForFactors, needsSecondStep, readSecondStep } from '../../../accounts/factors/factors.service.ts'
import { secondStepOf } from '../../../accounts/factors/proofs.service.ts'
import type { Member, SignIn } from '../browser/sign-ins.service.ts'

/** Creates a challenge for the account's factors. Undefined if the account has none. */
export const askForFactor = (
  ctx: Ctx,
  { accountId }: SignIn,
  { tenant_id: tenantId }: Member,
): Promise<SecondStep | undefined> =>
  inTransactionAfter(
    inTenant(ctx, tenantId),
    (ctx) => Promise.all([lockForFactors(ctx, accountId), readSecondStep(ctx, accountId)]),
    async (ctx, [, step]) => {
      if (!needsSecondStep(step)) return undefined
      const challenge = createChallenge(ctx, {
        ceremony: 'login',
        accountId,
        sessionId: null,
        askedTenant: tenantId,
      })
      return secondStepOf(ctx, challenge, step)
    },
  )
