/** The step `proof`: a person proves an account before a connection links it (docs/contract.md, "Enterprise sign-in"). */
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { inTenant, inTransaction } from '../../../../context.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Proved } from '../../../sign-in/auth/sign-in.service.ts'
import { admitProved, type AccountProof, type OpenFor, type Outcome } from '../../linking/linking.service.ts'
import { readEpoch, stillOfEpoch, takeByLink } from '../../linking/account-proofs.service.ts'
import { personRefusals, type PersonReason } from '../../linking/persons.service.ts'
import { getLink } from '../../../accounts/mail/links.service.ts'
import { countMail, countSource, queueProof, requireMail } from '../../../accounts/mail/mail.service.ts'
import {
  keeping,
  moveOn,
  openingHere,
  readSituation,
  requireStep,
  signedIn,
  wrongStep,
  type Moved,
  type OpenedHere,
  type InteractionRef,
} from './interactions.service.ts'
import type { GiveProof } from './interactions.schemas.ts'
import type { Progress } from './interaction-progress.ts'
import type { Situation } from './interaction-state.ts'

/** An account whose person has just proved it. */
export interface ProvedAccount {
  accountId: number
  kind: 'password' | 'passkey'
  /** RFC 8176, without the password. */
  amr: readonly string[]
  /** The epoch of the account's sessions: whatever ends them ends the proof. */
  epoch: number
}

/** Notes the proof, in its transaction. */
export const provingAccount = async (
  ctx: TransactionCtx,
  { account, amr }: Proved,
): Promise<ProvedAccount> => ({
  accountId: account.id,
  kind: amr.includes('pwd') ? 'password' : 'passkey',
  amr: amr.filter((one) => one !== 'pwd'),
  epoch: await readEpoch(ctx, account.id),
})

/** Opens the sign-in of a person whom a connection brings, in place of the browser's present one. */
export const openingBrought =
  (ref: InteractionRef, situation: Situation): OpenFor<OpenedHere> =>
  (ctx, { connection, ...admitted }) =>
    openingHere(ref, situation, connection)(ctx, admitted)

const signInRefused = (reason: PersonReason) =>
  new AppError(
    'signInRefused',
    `This sign-in was refused (reason ${personRefusals[reason]}). Tell your administrator the number`,
  )

/** Goes on after a connection has brought a person. Throws 403 where the person is refused. */
export const goOnBrought = async (
  ctx: Ctx,
  ref: InteractionRef,
  situation: Situation,
  {
    outcome,
    brought,
    tenant,
  }: { outcome: Outcome<OpenedHere> } & Pick<NonNullable<Progress['toProve']>, 'brought' | 'tenant'>,
): Promise<Moved> => {
  if (outcome.kind === 'signed_in') return signedIn(ctx, ref, outcome.opened)
  if (outcome.kind === 'refused') throw signInRefused(outcome.reason)
  const progress = { ...situation.progress, toProve: { brought, account: outcome.account, tenant } }
  return moveOn(ctx, ref.id, await keeping(ctx, ref.id, situation, progress))
}

const linkBy = async (
  ctx: Ctx,
  ref: InteractionRef,
  situation: Situation,
  proof: AccountProof,
): Promise<Moved> => {
  const { toProve } = situation.progress
  if (!toProve) throw wrongStep()
  const { brought, account } = toProve
  const proved = { brought, accountId: account.accountId, proof }
  const outcome = await admitProved(ctx, proved, openingBrought(ref, situation))
  return goOnBrought(ctx, ref, situation, { outcome, ...toProve })
}

/** Links an account by its password or passkey. Throws 400 for another account. */
export const linkProvedAccount = (
  ctx: Ctx,
  ref: InteractionRef,
  situation: Situation,
  { accountId, kind, amr, epoch }: ProvedAccount,
): Promise<Moved> => {
  if (accountId !== situation.progress.toProve?.account.accountId) throw wrongStep()
  const settle: AccountProof['settle'] = (ctx, account) => stillOfEpoch(ctx, account, epoch)
  return linkBy(ctx, ref, situation, { kind, amr, settle })
}

/** Mails the link that proves the account, or links the account by it. The link counts in this browser alone. */
export const giveProof = async (ctx: Ctx, ref: InteractionRef, { token }: GiveProof): Promise<Moved> => {
  const situation = await readSituation(ctx, ref)
  const { toProve } = await requireStep(ctx, situation, 'proof')
  if (token === undefined) {
    await mailProof(ctx, ref, toProve)
    return moveOn(ctx, ref.id, situation)
  }
  await countSource(ctx)
  await getLink(ctx, token, ['proof'], ref.id)
  const settle: AccountProof['settle'] = (ctx, account) =>
    takeByLink(ctx, account, { token, interactionId: ref.id })
  return linkBy(ctx, ref, situation, { kind: 'link', amr: [], settle })
}

const mailProof = async (
  ctx: Ctx,
  { id }: InteractionRef,
  { account: { accountId, email }, brought, tenant }: NonNullable<Progress['toProve']>,
): Promise<void> => {
  requireMail(ctx)
  await countSource(ctx)
  await inTransaction(inTenant(ctx, brought.tenantId), async (ctx) => {
    if (await countMail(ctx, 'proof', email)) queueProof(ctx, { accountId, email, interactionId: id, tenant })
  })
}
