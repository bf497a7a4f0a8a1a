/** Decides about the person of a provider's answer (docs/contract.md, "Providers"). */
import { builtInTenant } from '../../../access/permissions.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError, errorCodes } from '../../../errors/app-error.ts'
import { identityOf, federatedProof, type FederatedProof } from '../../../values/proofs.ts'
import {
  findAddressed,
  findBySubject,
  providerRefused,
  useIdentity,
  type ProviderPerson,
} from '../../accounts/identities/identities.service.ts'
import { freeEmail } from '../../accounts/users/users.service.ts'
import { proveByIdentity } from '../../sign-in/auth/identity-sign-in.service.ts'
import type { Proved } from '../../sign-in/auth/sign-in.service.ts'
import {
  continueSignedIn,
  interactionOpener,
  readState,
  saveProgress,
  type InteractionRef,
  type LinkOfInteraction,
  type OpenedInInteraction,
} from '../oauth/interaction/interactions.service.ts'
import { fold } from '../../../values/text.ts'
import type { AttemptProvider } from './attempts.service.ts'
import type { DescribedPerson } from './provider-person.ts'
import { openAsNew, type FederatedSignIn } from '../linking/federated.service.ts'
import { admissionOfNew, allowsNew, registerPerson } from '../linking/registration.service.ts'

/** Whether the interaction has ended or changed meanwhile, which is no error of the service. */
export const hasEnded = (err: unknown): boolean =>
  err instanceof AppError && (err.status === 404 || err.code === errorCodes.stepWrong)

export const personAt = (
  { id, slug, name }: Pick<AttemptProvider, 'id' | 'slug' | 'name'>,
  { subject, label }: DescribedPerson,
): ProviderPerson => ({ provider: { id, slug, name }, subject, label })

/** The decision about a person. Refusals give no reason. */
export type Admission =
  | { kind: 'known'; account: { id: number; email: string }; proof: FederatedProof }
  | { kind: 'proof'; toProve: FederatedSignIn['account'] }
  | { kind: 'register' }
  | { kind: 'sign_up' }
  /** A mailed link lets the person join, although nobody has the address yet. */
  | { kind: 'join'; link: LinkOfInteraction }
  | { kind: 'refused' }

/** Decides, and changes nothing but the address of an account whose tenants are all removed. */
export const decide = async (
  ctx: Ctx,
  provider: AttemptProvider,
  person: DescribedPerson,
  link?: LinkOfInteraction,
): Promise<Admission> => {
  const known = await findBySubject(ctx, personAt(provider, person))
  if (known) {
    return {
      kind: 'known',
      account: { id: known.account_id, email: known.email },
      proof: federatedProof(known.id),
    }
  }
  if (person.email === '') return { kind: 'refused' }
  await freeEmail(ctx, person.email)
  const found = await findAddressed(ctx, person.email)
  if (found) {
    const account = { accountId: found.id, email: found.email, user: null, isUnowned: !found.is_owned }
    return { kind: 'proof', toProve: account }
  }
  if (link) {
    return (await mayJoin(ctx, provider, { person, link })) ? { kind: 'join', link } : { kind: 'refused' }
  }
  // A typed address looks alike with and without an account: the same step, and the same answers.
  if (!person.isProved) return { kind: 'proof', toProve: accountOfNobody(person) }
  return { kind: (await admissionOfNew(ctx, provider.id)) ?? 'refused' }
}

/** Whether a new person may use the link. A mailed link proves a typed address. */
const mayJoin = async (
  ctx: Ctx,
  provider: AttemptProvider,
  { person, link }: { person: DescribedPerson; link: LinkOfInteraction },
): Promise<boolean> =>
  fold(person.email) === fold(link.email) &&
  (person.isProved || link.isMailed) &&
  (await allowsNew(ctx, provider.id))

const accountOfNobody = ({ email }: DescribedPerson): FederatedSignIn['account'] => ({
  accountId: 0,
  email,
  user: null,
  isUnowned: false,
})

export type Admitted = { kind: 'on'; cookie: string | undefined } | { kind: 'refused' }

/** Opens the sign-in of an interaction by an identity, if the identity is still there. */
const identityOpener =
  (open: ReturnType<typeof interactionOpener>) =>
  async (ctx: TransactionCtx, proved: Proved): Promise<OpenedInInteraction> => {
    const id = identityOf(proved.amr)
    if (id === undefined || !(await useIdentity(ctx, proved.account.id, id))) {
      throw providerRefused()
    }
    return open(ctx, proved)
  }

/** Continues an interaction with the person of a provider. */
export const admitPerson = async (
  ctx: Ctx,
  ref: InteractionRef,
  provider: AttemptProvider,
  person: DescribedPerson,
): Promise<Admitted> => {
  const state = await readState(ctx, ref)
  const decision = await decide(ctx, provider, person, state.progress.link)
  if (decision.kind === 'refused') return { kind: 'refused' }
  const { toProve: _, secondStep: __, federated: ___, ...progress } = state.progress
  const clean = { ...state, progress }
  const open = identityOpener(interactionOpener(ref, clean))
  if (decision.kind === 'proof') {
    const { email, isProved, name } = person
    const brought = { tenantId: builtInTenant.id, ...personAt(provider, person), email, isProved, name }
    const toProve = { brought, account: decision.toProve, tenant: provider.name }
    await saveProgress(ctx, ref.id, clean, { ...progress, toProve })
    return { kind: 'on', cookie: undefined }
  }
  if (decision.kind === 'join') {
    const { email, isProved } = person
    const brought = { ...personAt(provider, person), email, isProved }
    await saveProgress(ctx, ref.id, clean, { ...progress, link: { ...decision.link, person: brought } })
    return { kind: 'on', cookie: undefined }
  }
  if (decision.kind === 'sign_up') {
    await saveProgress(ctx, ref.id, clean, { ...progress, signUpFor: person.email })
    return { kind: 'on', cookie: undefined }
  }
  if (decision.kind === 'register') {
    const opener = openAsNew(personAt(provider, person), interactionOpener(ref, clean))
    const opened = await registerPerson(ctx, person, opener)
    return { kind: 'on', cookie: (await continueSignedIn(ctx, ref, opened)).cookie }
  }
  const outcome = await proveByIdentity(ctx, decision, open)
  if ('opened' in outcome) {
    return { kind: 'on', cookie: (await continueSignedIn(ctx, ref, outcome.opened)).cookie }
  }
  const federated = { accountId: decision.account.id, proof: decision.proof }
  await saveProgress(ctx, ref.id, clean, { ...progress, secondStep: outcome, federated })
  return { kind: 'on', cookie: undefined }
}
