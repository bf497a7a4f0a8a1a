/** The next step of an authorization, from all that is known of it. */
import { restrictionOf } from '../../../../access/actor.ts'
import { selectTenantInScope } from '../../../../access/tenancy.store.ts'
import { inTenant, type Ctx } from '../../../../context.ts'
import { connectionNeededHere } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isKnown } from '../../applications/documents.service.ts'
import { findGrant } from '../../applications/grants.service.ts'
import { mayBeAuthorized } from '../../applications/unregistered.service.ts'
import type { Progress } from './interaction-progress.ts'
import {
  accessGrantedBy,
  isImitable,
  redirectHostOf,
  type GrantedAccess,
  type Situation,
} from './interaction-state.ts'
import { asMember, listMembers, type Member, type SignIn } from '../browser/sign-ins.service.ts'

/** Every question is answered. */
export interface Ready {
  step: 'done'
  signIn: SignIn
  member: Member
  /** The request in the name of the person, in the chosen tenant. */
  ctx: Ctx
  given: GrantedAccess
}

/** The person in the chosen tenant. */
interface OfMember {
  signIn: SignIn
  member: Member
  ctx: Ctx
}

export type Question =
  | { step: 'identify' | 'password' | 'factor' }
  | { step: 'proof'; toProve: NonNullable<Progress['toProve']> }
  /** The factor that a sign-in by a connection lacks. */
  | ({ step: 'lacked_factor' } & OfMember)
  | { step: 'tenant'; signIn: SignIn; members: Member[] }
  | ({ step: 'enrol' } & OfMember)
  | ({ step: 'verify_email' } & OfMember)
  | {
      step: 'consent'
      signIn: SignIn
      member: Member
      ctx: Ctx
      given: GrantedAccess
      /** Those that the person has not consented to yet. */
      fresh: string[]
    }

/** Nothing is answered: the client is unknown, or the address is not its own. */
interface Refused {
  step: 'refused'
}

export type Next = Ready | Question | Refused

const denied = (message: string) => new OAuthError('access_denied', message)

/** Throws an OAuthError that goes to the application. */
export const findNext = async (ctx: Ctx, situation: Situation): Promise<Next> => {
  const { client, signIn, progress } = situation
  if (!isKnown(client) && (signIn || progress.isRefused)) return { step: 'refused' }
  requireGoingOn(situation)
  if (progress.toProve) return stepOfProof(progress.toProve, progress)
  return signIn && !needsProofs(situation, signIn)
    ? findNextOfSignIn(ctx, situation, signIn)
    : firstStep(situation)
}

/** The right password of the account can lead to its factor. */
const stepOfProof = (toProve: NonNullable<Progress['toProve']>, { secondStep }: Progress): Question =>
  secondStep ? { step: 'factor' } : { step: 'proof', toProve }

const findNextOfSignIn = async (ctx: Ctx, situation: Situation, signIn: SignIn): Promise<Next> => {
  const member = await chooseMember(ctx, situation, signIn)
  if (!member) return firstStep(situation)
  return 'step' in member ? member : findNextOfMember(ctx, situation, signIn, member)
}

/** Throws for a person who refused, and for a resource that the client may not name any more. */
const requireGoingOn = ({ progress, request, resource }: Situation): void => {
  if (progress.isRefused) throw denied('The person refused')
  if (request.resource && !resource) throw new OAuthError('invalid_target', 'The resource is no more')
}

const firstStep = ({ progress }: Situation): Question => {
  if (progress.secondStep) return { step: 'factor' }
  return { step: progress.email === undefined ? 'identify' : 'password' }
}

/** Whether the person has to prove their identity here, although the browser has a sign-in. */
const needsProofs = ({ request, begunAt, progress }: Situation, { authTime }: SignIn): boolean => {
  const { prompt, maxAge } = request
  if (progress.provedFrom !== undefined && authTime < new Date(progress.provedFrom)) return true
  if (authTime >= begunAt) return false
  const isAsked = prompt.some((one) => ['login', 'select_account', 'create'].includes(one))
  return isAsked || (maxAge !== undefined && authTime.getTime() + maxAge * 1000 < begunAt.getTime())
}

const isNamed = ({ tenant_id: id, slug }: Member, name: string): boolean =>
  id === name.toLowerCase() || slug === name.toLowerCase()

/** The users of the person that the request leaves. Throws for a hint at another person. */
const listServing = async (ctx: Ctx, { request, client }: Situation, signIn: SignIn): Promise<Member[]> => {
  const all = await listMembers(ctx, signIn)
  const { hintedUser, tenant } = request
  if (hintedUser && !all.some((one) => isHinted(one, hintedUser))) {
    throw new OAuthError('login_required', 'Another person is signed in')
  }
  return all
    .filter((one) => client.tenant_ids === null || client.tenant_ids.includes(one.tenant_id))
    .filter((one) => tenant === '' || isNamed(one, tenant))
    .filter((one) => !hintedUser || isHinted(one, hintedUser))
}

/**
 * The user that the person acts as, or the question which. Undefined where the sign-in, which was opened earlier, leads into
 * none of their tenants: another one may. Throws `access_denied` where there is none.
 */
const chooseMember = async (
  ctx: Ctx,
  situation: Situation,
  signIn: SignIn,
): Promise<Member | Extract<Question, { step: 'tenant' }> | undefined> => {
  const { request, progress } = situation
  const serving = await listServing(ctx, situation, signIn)
  if (serving.length === 0) throw denied('You are no user of a tenant that this application serves')
  const members = serving.filter((one) => one.is_reachable)
  const [first, ...more] = members
  if (!first) return leadsNowhere(situation, signIn)
  if (more.length === 0) return first
  const remembered = request.prompt.includes('select_account') ? '' : signIn.chosenTenant
  const chosen = progress.tenantId ?? remembered
  return members.find((one) => one.tenant_id === chosen) ?? { step: 'tenant', signIn, members }
}

/** An earlier sign-in gives way to another one. Throws for one that was opened here. */
const leadsNowhere = ({ begunAt }: Situation, { authTime }: SignIn): undefined => {
  if (authTime >= begunAt) throw denied(connectionNeededHere().message)
}

const isHinted = (
  { tenant_id, user_id }: Member,
  { tenantId, userId }: { tenantId: string; userId: number },
): boolean => tenant_id === tenantId && user_id === userId

/** A device shows nothing that tells it from another one, and a program of the machine can imitate an application. */
const asksForClick = (situation: Situation): boolean => {
  const { redirectUri, prompt } = situation.request
  return redirectUri === '' || isImitable(situation) || prompt.includes('consent')
}

/** The questions that depend on the tenant. */
const findNextOfMember = async (
  ctx: Ctx,
  situation: Situation,
  signIn: SignIn,
  member: Member,
): Promise<Next> => {
  const own = await asMember(ctx, signIn, member)
  if (!own) throw denied('The sign-in has just ended')
  if (!(await mayBeAuthorized(own, situation.client))) {
    throw denied('The tenant does not allow this application')
  }
  const lack = await findLack(own, situation)
  if (lack) return askForLack(situation, lack, { signIn, member, ctx: own })
  return askForConsent(situation, { signIn, member, ctx: own })
}

const askForConsent = async (situation: Situation, own: OfMember): Promise<Next> => {
  const { signIn, member } = own
  const given = accessGrantedBy(situation)
  const fresh = await findFresh(own.ctx, situation, member, given)
  const ready = { ...own, given }
  const mustClick = fresh.length > 0 || asksForClick(situation)
  const hasClicked = situation.progress.allowedFor === allowanceOf(signIn, member, given)
  return mustClick && !hasClicked ? { step: 'consent', ...ready, fresh } : { step: 'done', ...ready }
}

/** A tenant's provider does not set up factors of an account: a person who has none is refused. */
const askForLack = ({ progress }: Situation, lack: 'enrol' | 'verify_email', own: OfMember): Question => {
  const { id, connection } = own.signIn
  if (lack !== 'enrol' || !connection) return { step: lack, ...own }
  return progress.lackedBy === id && progress.secondStep
    ? { step: 'factor' }
    : { step: 'lacked_factor', ...own }
}

/** The thing that tenant, installation or application ask for, and the sign-in lacks: applications get no restricted session. */
const findLack = async (
  { actor, tenantId, db, parts }: Ctx,
  { request, client, signIn }: Situation,
): Promise<'enrol' | 'verify_email' | undefined> => {
  if (actor.restriction === 'email') return 'verify_email'
  const tenant = await selectTenantInScope(db, tenantId)
  const isAsked = client.require_mfa || request.needsMfa || tenant?.is_factor_required === true
  const facts = { amr: signIn?.amr ?? [], is_email_open: false }
  const lack = restrictionOf(parts.config, { is_factor_required: isAsked }, facts)
  return lack === undefined ? undefined : 'enrol'
}

/** The scopes that the person has to be asked about; one's own applications ask about none. */
const findFresh = async (
  ctx: Ctx,
  { client, resource, request: { redirectUri } }: Situation,
  { tenant_id: tenantId, user_id: userId }: Member,
  { scopes }: GrantedAccess,
): Promise<string[]> => {
  if (!client.is_third_party) return []
  const host = redirectHostOf(redirectUri)
  const subject = { userId, applicationId: client.id, resourceId: resource?.id ?? 0, host }
  const grant = await findGrant(inTenant(ctx, tenantId), subject)
  if (!grant) return scopes.length > 0 ? scopes : ['']
  return scopes.filter((scope) => !grant.scopes.includes(scope))
}

/** Everything that a click stands for: any change of it asks anew. */
export const allowanceOf = (
  { id }: SignIn,
  { tenant_id: tenantId }: Member,
  { scopes }: GrantedAccess,
): string => [id, tenantId, ...scopes].join(' ')

/** The error of `prompt=none` where a page would ask. */
export const silentError = ({ step }: Question, isClick: boolean): OAuthError => {
  if (step === 'identify' || step === 'password' || step === 'factor') {
    return new OAuthError('login_required', 'Nobody is signed in')
  }
  return step === 'consent' && !isClick
    ? new OAuthError('consent_required', 'The person has not consented')
    : new OAuthError('interaction_required', 'The person has to answer a question')
}
