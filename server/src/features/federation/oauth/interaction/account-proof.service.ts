/**
 * The step `proof`: after a person proves an account, a connection links it (docs/contract.md, "Enterprise sign-in").
 */
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { inTenant, inTransaction } from '../../../../context.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Proved } from '../../../sign-in/auth/sign-in.service.ts'
import {
  admitProved,
  type AccountProof,
  type PersonOpener,
  type LinkingResult,
  type ProviderSignIn,
} from '../../linking/linking.service.ts'
import { readSessionEpoch, isSessionEpoch, spendProofLink } from '../../linking/account-proofs.service.ts'
import { addProvedIdentity, registerProved } from '../../linking/federated.service.ts'
import { admissionOfNew } from '../../linking/registration.service.ts'
import { personRefusals, type PersonReason } from '../../linking/persons.service.ts'
import { getLink, linkDead } from '../../../accounts/mail/links.service.ts'
import { countMail, countSource, queueProof, requireMail } from '../../../accounts/mail/mail.service.ts'
import {
  advance,
  interactionOpener,
  readState,
  requireStep,
  saveProgress,
  continueSignedIn,
  wrongStep,
  type InteractionResult,
  type OpenedInInteraction,
  type InteractionRef,
} from './interactions.service.ts'
import type { GiveProof } from './interactions.schemas.ts'
import type { InteractionProgress } from './interaction-progress.ts'
import type { InteractionState } from './interaction-state.ts'

export interface ProvedAccount {
  accountId: number
  kind: 'password' | 'passkey'
  /** The methods of RFC 8176, without the password. */
  amr: readonly string[]
  /** The session epoch of the account. If the account's epoch is higher, the proof is invalid. */
  epoch: number
}

/** The proof of an account, read in the transaction that verified it. */
export const noteProvedAccount = async (
  ctx: TransactionCtx,
  { account, amr }: Proved,
): Promise<ProvedAccount> => ({
  accountId: account.id,
  kind: amr.includes('pwd') ? 'password' : 'passkey',
  amr: amr.filter((one) => one !== 'pwd'),
  epoch: await readSessionEpoch(ctx, account.id),
})

/** Opens the sign-in of a provider's person, and replaces the browser's earlier sign-in. */
export const providerOpener =
  (ref: InteractionRef, state: InteractionState): PersonOpener<OpenedInInteraction> =>
  (ctx, { connection, ...admitted }) =>
    interactionOpener(ref, state, connection)(ctx, admitted)

const signInRefused = (reason: PersonReason) =>
  new AppError(
    'signInRefused',
    `This sign-in was refused (reason ${personRefusals[reason]}). Tell your administrator the number`,
  )

/** Continues the interaction after the answer of a provider. Throws 403 for a refused person. */
export const continueAfterProvider = async (
  ctx: Ctx,
  ref: InteractionRef,
  state: InteractionState,
  {
    outcome,
    brought,
    tenant,
  }: { outcome: LinkingResult<OpenedInInteraction>; brought: ProviderSignIn; tenant: string },
): Promise<InteractionResult> => {
  if (outcome.kind === 'signed_in') return continueSignedIn(ctx, ref, outcome.opened)
  if (outcome.kind === 'refused') throw signInRefused(outcome.reason)
  const progress = { ...state.progress, toProve: { brought, account: outcome.account, tenant } }
  return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, progress))
}

const linkAccount = async (
  ctx: Ctx,
  ref: InteractionRef,
  state: InteractionState,
  proof: AccountProof,
): Promise<InteractionResult> => {
  const { toProve } = state.progress
  if (!toProve) throw wrongStep()
  const { brought, account } = toProve
  if ('provider' in brought) {
    const open = interactionOpener(ref, state)
    return continueSignedIn(ctx, ref, await addProvedIdentity(ctx, { brought, account }, proof, open))
  }
  const proved = { brought, accountId: account.accountId, proof }
  const outcome = await admitProved(ctx, proved, providerOpener(ref, state))
  return continueAfterProvider(ctx, ref, state, { outcome, brought, tenant: toProve.tenant })
}

/** Links an account that was proved by password or passkey. Throws 400 for another account. */
export const linkProvedAccount = (
  ctx: Ctx,
  ref: InteractionRef,
  state: InteractionState,
  { accountId, kind, amr, epoch }: ProvedAccount,
): Promise<InteractionResult> => {
  if (accountId !== state.progress.toProve?.account.accountId) throw wrongStep()
  const consume: AccountProof['consume'] = (ctx, account) => isSessionEpoch(ctx, account, epoch)
  return linkAccount(ctx, ref, state, { kind, amr, consume })
}

/**
 * Without a token, mails the link that proves the account. With a token, links the account. Only this browser can use
 * the link.
 */
export const giveProof = async (
  ctx: Ctx,
  ref: InteractionRef,
  { token }: GiveProof,
): Promise<InteractionResult> => {
  const state = await readState(ctx, ref)
  const { toProve } = await requireStep(ctx, state, 'proof')
  if (token === undefined) {
    await mailProof(ctx, ref, toProve)
    return advance(ctx, ref.id, state)
  }
  await countSource(ctx)
  await getLink(ctx, token, ['proof'], ref.id)
  if (toProve.account.accountId === 0) return admitNew(ctx, ref, { state, token })
  const consume: AccountProof['consume'] = (ctx, account) =>
    spendProofLink(ctx, account, { token, interactionId: ref.id })
  return linkAccount(ctx, ref, state, { kind: 'link', amr: [], consume })
}

/** Registers the person of a proved address without an account, or offers the creation of an organization. */
const admitNew = async (
  ctx: Ctx,
  ref: InteractionRef,
  { state, token }: { state: InteractionState; token: string },
): Promise<InteractionResult> => {
  const { toProve, ...progress } = state.progress
  if (!toProve || !('provider' in toProve.brought)) throw wrongStep()
  const { brought } = toProve
  const admission = await admissionOfNew(ctx, brought.provider.id)
  if (admission === undefined) throw linkDead()
  if (admission === 'sign_up') {
    const offered = { ...progress, signUpFor: brought.email }
    return advance(ctx, ref.id, await saveProgress(ctx, ref.id, state, offered))
  }
  const proof = { token, interactionId: ref.id }
  const open = interactionOpener(ref, state)
  return continueSignedIn(ctx, ref, await registerProved(ctx, brought, proof, open))
}

/** A typed address without an account gets the same answer, and a mail only if its person may register. */
const mailProof = async (
  ctx: Ctx,
  { id: interactionId }: InteractionRef,
  { account: { accountId, email }, brought, tenant }: NonNullable<InteractionProgress['toProve']>,
): Promise<void> => {
  requireMail(ctx)
  await countSource(ctx)
  const mayBeNew = 'provider' in brought && (await admissionOfNew(ctx, brought.provider.id)) !== undefined
  await inTransaction(inTenant(ctx, brought.tenantId), async (ctx) => {
    if (!(await countMail(ctx, 'proof', email))) return
    const isOfNobody = mayBeNew && accountId === 0
    queueProof(ctx, { accountId, isOfNobody, email, interactionId, tenant })
  })
}
