/** The identities of the caller's own account. */
import { requireMfa, requireOwnSignIn } from '../../../access/policies.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { federatedProof } from '../../../values/proofs.ts'
import { changesBetween } from '../../audit/audit/audit.service.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { getOwnAccount } from '../accounts/credentials.service.ts'
import { keepingOwnWays } from '../accounts/own-ways.service.ts'
import { changingByPassword, needsSecondStep, type OwnFactors } from '../factors/factors.service.ts'
import type { ProvePassword } from '../factors/factors.schemas.ts'
import { queueNotice } from '../mail/mail.service.ts'
import { endSessionsOfProof } from '../sessions/proof-ends.service.ts'
import { listIdentitiesOfAccount } from './identities.service.ts'
import type { Identity } from './identities.schemas.ts'
import * as store from './identities.store.ts'

const identityUnknown = () => new AppError('identityUnknown', 'Your account has no such identity')

export const listIdentities = async (ctx: Ctx): Promise<Identity[]> =>
  listIdentitiesOfAccount(ctx, (await getOwnAccount(ctx)).id)

/**
 * Runs a change of the caller's identities, with the account locked. It needs the password or a fresh proof, and the
 * second factor of an account that has one. Throws 403 for sessions of connections and applications.
 */
export const changingIdentities = <T>(
  ctx: Ctx,
  input: ProvePassword,
  change: (ctx: TransactionCtx, account: OwnFactors['account']) => Promise<T>,
): Promise<T> => {
  requireOwnSignIn(ctx.actor)
  return changingByPassword(ctx, input, (ctx, own) => {
    if (needsSecondStep(own)) requireMfa(ctx.actor)
    return change(ctx, own.account)
  })
}

/** Removes an identity, and ends the sessions that it opened. */
export const removeIdentity = (ctx: Ctx, id: string, input: ProvePassword): Promise<null> =>
  changingIdentities(ctx, input, async (ctx, account) => {
    const identities = await store.selectIdentities(ctx.db, account.id)
    const found = identities.find((one) => one.id === id.toLowerCase())
    if (!found) throw identityUnknown()
    await keepingOwnWays(ctx, account.id, async () => store.deleteIdentityRow(ctx.db, account.id, found.id))
    await endSessionsOfProof(ctx, account.id, federatedProof(found.id))
    const facts = { provider: found.name }
    queueNotice(ctx, 'identity_removed', { accountId: account.id, email: account.email }, facts)
    const detail = changesBetween({ provider: found.slug, label: found.label }, {})
    await recordForAccount(ctx, account.id, { action: 'identity.remove', detail })
    return null
  })
