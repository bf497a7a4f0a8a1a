/** Finds the next step of an interaction from its state. */
import { mayUse } from '../../../../access/application-use.ts'
import { restrictionOf } from '../../../../access/actor.ts'
import { selectTenantInScope } from '../../../../access/tenancy.store.ts'
import { inTenant, type Ctx } from '../../../../context.ts'
import { mayBeOfferedPasskey } from '../../../accounts/factors/passkey-offer.service.ts'
import { refusalsHere } from '../../../accounts/sessions/reach.service.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { offersPasskey } from '../../../sign-in/ways/ways.service.ts'
import { isKnown } from '../../applications/documents.service.ts'
import { consented, findGrant } from '../../applications/grants.service.ts'
import { mayBeAuthorized } from '../../applications/unregistered.service.ts'
import type { InteractionProgress } from './interaction-progress.ts'
import {
  accessGrantedBy,
  isImitable,
  redirectHostOf,
  type GrantedAccess,
  type InteractionState,
} from './interaction-state.ts'
import { asMember, listMembers, type Member, type SignIn } from '../browser/sign-ins.service.ts'

interface SignedInMember {
  signIn: SignIn
  member: Member
  /** The request with the person as caller, in the chosen tenant. */
  ctx: Ctx
}

export interface DoneStep extends SignedInMember {
  step: 'done'
  access: GrantedAccess
}

export type OpenStep =
  | { step: 'identify' | 'password' | 'email_code' | 'factor' }
  | { step: 'proof'; toProve: NonNullable<InteractionProgress['toProve']> }
  /** The sign-in of a connection lacks a second factor. */
  | ({ step: 'lacked_factor' } & SignedInMember)
  | { step: 'tenant'; signIn: SignIn; members: Member[] }
  | ({ step: 'enrol' } & SignedInMember)
  | ({ step: 'verify_email' } & SignedInMember)
  | ({ step: 'new_password' } & SignedInMember)
  | ({ step: 'offer_passkey' } & SignedInMember)
  | ({
      step: 'consent'
      access: GrantedAccess
      /** The requested scopes without an earlier consent. */
      unconsented: string[]
    } & SignedInMember)

/** The client gets no response: it is unknown, or the redirect address does not belong to it. */
interface RefusedStep {
  step: 'refused'
}

/** The user lacks the permission that the application requires. The page says so, and the client gets an error. */
interface UnpermittedStep extends SignedInMember {
  step: 'unpermitted'
}

export type NextStep = DoneStep | OpenStep | RefusedStep | UnpermittedStep

type Requirement = 'new_password' | 'enrol' | 'verify_email'

/** The steps for what the account lacks. An application can require a factor as well, so that is decided later. */
const stepsOfAccount = { password: 'new_password', email: 'verify_email', factor: undefined } as const

const denied = (message: string) => new OAuthError('access_denied', message)
export const unpermitted = () => denied('You lack the permission that this application requires')

/** Finds the next step. Throws an OAuthError that the application gets. */
export const findNextStep = async (ctx: Ctx, state: InteractionState): Promise<NextStep> => {
  const { client, signIn, progress } = state
  if (!isKnown(client) && (signIn || progress.isRefused)) return { step: 'refused' }
  requireNotEnded(state)
  if (progress.toProve) return proofStep(progress.toProve, progress)
  return signIn && !needsProofs(state, signIn) ? findStepOfSignIn(ctx, state, signIn) : firstStep(state)
}

/** The step of a proof. After the right password, the account's second factor can follow. */
const proofStep = (
  toProve: NonNullable<InteractionProgress['toProve']>,
  { secondStep }: InteractionProgress,
): OpenStep => (secondStep ? { step: 'factor' } : { step: 'proof', toProve })

const findStepOfSignIn = async (ctx: Ctx, state: InteractionState, signIn: SignIn): Promise<NextStep> => {
  const members = await listReachableMembers(ctx, state, signIn)
  const [first, ...more] = members
  if (!first) return firstStep(state)
  if (more.length === 0) return findStepInTenant(ctx, state, signIn, first)
  const member = findChosenMember(members, state, signIn)
  const question = { step: 'tenant', signIn, members } as const
  if (!member) return question
  const next = await findStepInTenant(ctx, state, signIn, member)
  const isRemembered = state.progress.tenantId === undefined
  return next.step === 'unpermitted' && isRemembered ? question : next
}

/** Throws if the person refused, or the client may no longer name the resource. */
const requireNotEnded = ({ progress, request, resource }: InteractionState): void => {
  if (progress.isRefused) throw denied('The person refused')
  if (request.resource && !resource) throw new OAuthError('invalid_target', 'The resource is no more')
}

const firstStep = ({ progress }: InteractionState): OpenStep => {
  if (progress.secondStep) return { step: 'factor' }
  if (progress.emailCode !== undefined) return { step: 'email_code' }
  return { step: progress.email === undefined ? 'identify' : 'password' }
}

/** Whether the person must prove the identity again, although the browser has a sign-in. */
const needsProofs = ({ request, begunAt, progress }: InteractionState, { authTime }: SignIn): boolean => {
  const { prompt, maxAge } = request
  if (progress.provedFrom !== undefined && authTime < new Date(progress.provedFrom)) return true
  if (authTime >= begunAt) return false
  const isAsked = prompt.some((one) => ['login', 'select_account', 'create'].includes(one))
  return isAsked || (maxAge !== undefined && authTime.getTime() + maxAge * 1000 < begunAt.getTime())
}

const hasIdOrSlug = ({ tenant_id: id, slug }: Member, name: string): boolean =>
  id === name.toLowerCase() || slug === name.toLowerCase()

/**
 * The person's users that client and request allow. Throws `login_required` if `id_token_hint` names another person.
 */
const listServedMembers = async (
  ctx: Ctx,
  { request, client }: InteractionState,
  signIn: SignIn,
): Promise<Member[]> => {
  const all = await listMembers(ctx, signIn)
  const { hintedUser, tenant } = request
  if (hintedUser && !all.some((one) => isHinted(one, hintedUser))) {
    throw new OAuthError('login_required', 'Another person is signed in')
  }
  return all
    .filter((one) => client.tenant_ids === null || client.tenant_ids.includes(one.tenant_id))
    .filter((one) => tenant === '' || hasIdOrSlug(one, tenant))
    .filter((one) => !hintedUser || isHinted(one, hintedUser))
}

/**
 * The person's users that the sign-in reaches. Empty if no tenant accepts the earlier sign-in, because a new sign-in may
 * reach a tenant. Throws `access_denied` if the person has no user that the request allows.
 */
const listReachableMembers = async (ctx: Ctx, state: InteractionState, signIn: SignIn): Promise<Member[]> => {
  const serving = await listServedMembers(ctx, state, signIn)
  if (serving.length === 0) throw denied('You are no user of a tenant that this application serves')
  const members = serving.filter((one) => one.barrier === null)
  if (members.length === 0) requireEarlier(state, signIn, serving)
  return members
}

/** The user of the tenant that the person chose in this interaction, or earlier with this sign-in. */
const findChosenMember = (
  members: Member[],
  { request, progress }: InteractionState,
  signIn: SignIn,
): Member | undefined => {
  const remembered = request.prompt.includes('select_account') ? '' : signIn.chosenTenant
  const chosen = progress.tenantId ?? remembered
  return members.find((one) => one.tenant_id === chosen)
}

/** Throws `access_denied` if this interaction opened the sign-in, because another one would not help. */
const requireEarlier = ({ begunAt }: InteractionState, { authTime }: SignIn, [refusing]: Member[]): void => {
  if (authTime >= begunAt) throw denied(refusalsHere[refusing?.barrier ?? 'connection']().message)
}

const isHinted = (
  { tenant_id, user_id }: Member,
  { tenantId, userId }: { tenantId: string; userId: number },
): boolean => tenant_id === tenantId && user_id === userId

/**
 * Whether the person must confirm with a click: anybody can start a device, and a program can imitate an application.
 */
const needsClick = (state: InteractionState): boolean => {
  const { redirectUri, prompt } = state.request
  return redirectUri === '' || isImitable(state) || prompt.includes('consent')
}

const findStepInTenant = async (
  ctx: Ctx,
  state: InteractionState,
  signIn: SignIn,
  member: Member,
): Promise<NextStep> => {
  const own = await asMember(ctx, signIn, member)
  if (!own) throw denied('The sign-in has just ended')
  if (!(await mayBeAuthorized(own, state.client))) {
    throw denied('The tenant does not allow this application')
  }
  if (!mayUse(state.client, own.actor.permissions)) return { step: 'unpermitted', signIn, member, ctx: own }
  const missing = await findUnmetRequirement(own, state)
  const signedIn = { signIn, member, ctx: own }
  if (missing) return askForRequirement(state, missing, signedIn)
  return (await isPasskeyOffered(state, signedIn))
    ? { step: 'offer_passkey', ...signedIn }
    : askForConsent(state, signedIn)
}

/** Only a sign-in of this interaction is offered a passkey, and none of a connection. */
const isPasskeyOffered = async (
  { begunAt }: InteractionState,
  { signIn, ctx }: SignedInMember,
): Promise<boolean> =>
  !signIn.connection &&
  signIn.authTime >= begunAt &&
  (await offersPasskey(ctx)) &&
  (await mayBeOfferedPasskey(ctx))

const askForConsent = async (state: InteractionState, own: SignedInMember): Promise<NextStep> => {
  const { signIn, member } = own
  const access = accessGrantedBy(state)
  const unconsented = await findUnconsented(own.ctx, state, member, access)
  const answered = { ...own, access }
  const mustClick = unconsented.length > 0 || needsClick(state)
  const hasClicked = state.progress.allowedFor === consentKeyOf(signIn, member, access)
  return mustClick && !hasClicked
    ? { step: 'consent', ...answered, unconsented }
    : { step: 'done', ...answered }
}

/**
 * The step for a missing factor. A person of a tenant's provider cannot add a factor to the account. Without a factor
 * the person is refused.
 */
const askForRequirement = (state: InteractionState, missing: Requirement, own: SignedInMember): OpenStep => {
  const { progress, begunAt } = state
  const { id, connection, authTime } = own.signIn
  // The step asks for no old password: the browser of an earlier sign-in can be in other hands.
  if (missing === 'new_password' && authTime < begunAt) return firstStep(state)
  if (missing !== 'enrol' || !connection) return { step: missing, ...own }
  return progress.lackedBy === id && progress.secondStep
    ? { step: 'factor' }
    : { step: 'lacked_factor', ...own }
}

/**
 * The step for an unmet requirement of tenant, installation or application. An application gets no restricted session.
 */
const findUnmetRequirement = async (ctx: Ctx, state: InteractionState): Promise<Requirement | undefined> => {
  const { restriction } = ctx.actor
  const ofAccount = restriction && stepsOfAccount[restriction]
  return ofAccount ?? ((await lacksFactor(ctx, state)) ? 'enrol' : undefined)
}

const lacksFactor = async (
  { tenantId, db, parts }: Ctx,
  { request, client, signIn }: InteractionState,
): Promise<boolean> => {
  const tenant = await selectTenantInScope(db, tenantId)
  const isFactorRequired = client.require_mfa || request.needsMfa || tenant?.is_factor_required === true
  const facts = { amr: signIn?.amr ?? [], is_email_open: false, is_password_expired: false }
  return restrictionOf(parts.config, { is_factor_required: isFactorRequired }, facts) !== undefined
}

/** The scopes that need a consent. A first-party application needs none. */
const findUnconsented = async (
  ctx: Ctx,
  { client, resource, request: { redirectUri } }: InteractionState,
  { tenant_id: tenantId, user_id: userId }: Member,
  { scopes }: GrantedAccess,
): Promise<string[]> => {
  if (!client.is_third_party) return []
  const host = redirectHostOf(redirectUri)
  const subject = { userId, applicationId: client.id, resourceId: resource?.id ?? 0, host }
  const grant = await findGrant(inTenant(ctx, tenantId), subject)
  if (!grant) return scopes.length > 0 ? scopes : ['']
  return scopes.filter((scope) => consented([scope]).some((one) => !grant.scopes.includes(one)))
}

/** The sign-in, tenant and scopes of a consent as one text. If any of them changes, a new consent is needed. */
export const consentKeyOf = (
  { id }: SignIn,
  { tenant_id: tenantId }: Member,
  { scopes }: GrantedAccess,
): string => [id, tenantId, ...scopes].join(' ')

/** The error of `prompt=none` where the person would have to answer a step. */
export const promptNoneError = ({ step }: OpenStep, isClick: boolean): OAuthError => {
  if (['identify', 'password', 'email_code', 'factor'].includes(step)) {
    return new OAuthError('login_required', 'Nobody is signed in')
  }
  return step === 'consent' && !isClick
    ? new OAuthError('consent_required', 'The person has not consented')
    : new OAuthError('interaction_required', 'The person has to answer a question')
}
