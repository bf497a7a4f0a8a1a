/** Decides about the person of a provider's answer (docs/contract.md, "Providers"). */
import { builtInTenant } from '../../../access/permissions.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError, errorCodes } from '../../../errors/app-error.ts'
import { identityOf, federatedProof, type FederatedProof } from '../../../values/proofs.ts'
import {
  addIdentity,
  findAddressed,
  findBySubject,
  useIdentity,
  type ProviderPerson,
} from '../../accounts/identities/identities.service.ts'
import { freeEmail } from '../../accounts/users/users.service.ts'
import { proveByIdentity } from '../../sign-in/auth/identity-sign-in.service.ts'
import type { Proved } from '../../sign-in/auth/sign-in.service.ts'
import type { FederatedSignIn } from '../linking/federated.service.ts'
import {
  continueSignedIn,
  interactionOpener,
  readState,
  saveProgress,
  type InteractionRef,
  type OpenedInInteraction,
} from '../oauth/interaction/interactions.service.ts'
import type { AttemptProvider } from './attempts.service.ts'
import type { DescribedPerson } from './provider-person.ts'
import { isRegistrationOpen, registerPerson } from './registration.service.ts'

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
  | { kind: 'new' }
  | { kind: 'refused' }

/** Decides, and changes nothing but the address of an account whose tenants are all removed. */
export const decide = async (
  ctx: Ctx,
  provider: AttemptProvider,
  person: DescribedPerson,
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
  // A typed address looks alike with and without an account: the same step, and the same answers.
  return person.isProved ? decideAboutNew(ctx, provider) : { kind: 'proof', toProve: accountOfNobody(person) }
}

const accountOfNobody = ({ email }: DescribedPerson): FederatedSignIn['account'] => ({
  accountId: 0,
  email,
  user: null,
  isUnowned: false,
})

const decideAboutNew = async (ctx: Ctx, provider: AttemptProvider): Promise<Admission> => {
  return { kind: provider.allow_new && (await isRegistrationOpen(ctx)) ? 'new' : 'refused' }
}

export type Admitted = { kind: 'on'; cookie: string | undefined } | { kind: 'refused' }

/** Opens the sign-in of an interaction by an identity, if the identity is still there. */
const identityOpener =
  (open: ReturnType<typeof interactionOpener>) =>
  async (ctx: TransactionCtx, proved: Proved): Promise<OpenedInInteraction> => {
    const id = identityOf(proved.amr)
    if (id === undefined || !(await useIdentity(ctx, proved.account.id, id))) {
      throw new AppError('providerRefused', 'This sign-in was refused. Choose another way')
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
  const decision = await decide(ctx, provider, person)
  if (decision.kind === 'refused') return { kind: 'refused' }
  const { toProve: _, secondStep: __, federated: ___, ...progress } = state.progress
  const clean = { ...state, progress }
  const open = identityOpener(interactionOpener(ref, clean))
  if (decision.kind === 'proof') {
    const brought = { tenantId: builtInTenant.id, ...personAt(provider, person), email: person.email }
    const toProve = { brought, account: decision.toProve, tenant: provider.name }
    await saveProgress(ctx, ref.id, clean, { ...progress, toProve })
    return { kind: 'on', cookie: undefined }
  }
  if (decision.kind === 'new') {
    const opened = await registerPerson(ctx, person, async (ctx, proved) => {
      const proof = await addIdentity(ctx, proved.account, personAt(provider, person))
      return open(ctx, { ...proved, amr: [proof] })
    })
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
