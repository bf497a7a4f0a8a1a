/** An interaction as its page sees it. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isMailOn } from '../../../accounts/mail/mail.service.ts'
import { getRegistration } from '../../../sign-in/auth/auth.service.ts'
import { passkeysAreOn } from '../../../../config/relying-party.ts'
import { answerTo, locationOf, type AuthorizationAnswer } from '../request/authorization-response.service.ts'
import { allowDevice, answerWithCode } from './authorization-code.service.ts'
import { closeInteraction, interactionUnknown, type Moved } from './interactions.service.ts'
import { refuseDevice } from '../devices/devices.service.ts'
import { selectDevice } from '../devices/devices.store.ts'
import * as store from './interaction-view.store.ts'
import type { Interaction } from './interactions.schemas.ts'
import type { Next, Question } from './next-step.service.ts'
import { redirectHostOf, type Situation } from './interaction-state.ts'

type Over = Extract<Next, { step: 'done' }> | OAuthError
type Refused = Extract<Next, { step: 'refused' }>

const isRefused = (next: Moved['next']): next is Refused => 'step' in next && next.step === 'refused'

const isOver = (next: Moved['next']): next is Over => next instanceof OAuthError || next.step === 'done'

/** Answers the application, once. */
const answerApplication = async (ctx: Ctx, moved: Moved, next: Over): Promise<AuthorizationAnswer> => {
  const { situation } = moved
  const refused = (error: OAuthError) => answerTo(ctx.parts.config, situation.request, error)
  await closeInteraction(ctx, moved)
  if (next instanceof OAuthError) return refused(next)
  return answerWithCode(ctx, situation, next).catch(whenRefused(refused))
}

/** Goes on where the end of an interaction is refused: what it stood on has ended meanwhile. */
const whenRefused =
  <T>(goOn: (error: OAuthError) => T) =>
  (err: unknown): T => {
    if (err instanceof OAuthError) return goOn(err)
    throw err
  }

/** The answer of an interaction that is over; undefined while a question is open, null where nothing is answered. */
export const findAnswer = async (ctx: Ctx, moved: Moved): Promise<AuthorizationAnswer | undefined | null> => {
  if (isRefused(moved.next)) return null
  return isOver(moved.next) ? answerApplication(ctx, moved, moved.next) : undefined
}

/** A page of ours goes on from there: a form is posted, or the person reads recovery codes first. */
const resumeUrl = (id: string): string => `/oauth2/resume/${id}`

/** Lets a device in or refuses it. Nobody is sent anywhere. Throws 404 where somebody has decided already. */
const decideAboutDevice = async (ctx: Ctx, moved: Moved, next: Over, hash: Buffer): Promise<''> => {
  await closeInteraction(ctx, moved)
  const refuse = () => refuseDevice(ctx, hash)
  const isDecided =
    next instanceof OAuthError
      ? await refuse()
      : await allowDevice(moved.situation, next, hash).catch(whenRefused(refuse))
  if (!isDecided) throw interactionUnknown()
  return ''
}

const redirectOf = async (ctx: Ctx, moved: Moved): Promise<string> => {
  const { id, next, situation, shown } = moved
  // The page there shows the error: the address of the request may be anybody's.
  if (isRefused(next)) return resumeUrl(id)
  if (!isOver(next)) return ''
  const { deviceHash } = situation.progress
  if (deviceHash !== undefined) return decideAboutDevice(ctx, moved, next, Buffer.from(deviceHash, 'hex'))
  const mustWait = situation.request.responseMode === 'form_post' || (shown?.recoveryCodes ?? []).length > 0
  return mustWait ? resumeUrl(id) : locationOf(await answerApplication(ctx, moved, next))
}

type Methods = Interaction['methods']

const passkeyMethods = ({ parts: { config } }: Ctx): Methods => (passkeysAreOn(config) ? ['passkey'] : [])

const waysIn = { user: ['register'], organization: ['sign_up'], closed: [] } as const

/**
 * The page begins with the first one: `prompt=create` asks for a registration. Before there is an account, nobody can do
 * anything but become the first administrator.
 */
const firstMethods = async (ctx: Ctx, { request: { prompt } }: Situation): Promise<Methods> => {
  if ((await getRegistration(ctx)).first_becomes_admin) return ['first_admin']
  const proofs = ['password', ...passkeyMethods(ctx)] as const
  const ways = waysIn[ctx.parts.config.signUp]
  return prompt.includes('create') ? [...ways, ...proofs] : [...proofs, ...ways]
}

/** The ways that a step offers. Those of the first are the same for every address. */
const methodsAt: Partial<
  Record<Question['step'], (ctx: Ctx, situation: Situation) => Methods | Promise<Methods>>
> = {
  identify: firstMethods,
  password: firstMethods,
  factor: (_ctx, { progress }) => progress.secondStep?.methods ?? [],
  proof: (ctx, { progress }) => [
    ...(progress.toProve?.account.isUnowned ? [] : (['password', ...passkeyMethods(ctx)] as const)),
    ...(isMailOn(ctx.parts) ? (['link'] as const) : []),
  ],
  enrol: (ctx) => [...(ctx.parts.secrets.isOn ? (['totp'] as const) : []), ...passkeyMethods(ctx)],
}

const methodsOf = async (ctx: Ctx, { next, situation }: Moved): Promise<Methods> =>
  (isOver(next) || isRefused(next) ? undefined : await methodsAt[next.step]?.(ctx, situation)) ?? []

const tenantOf = ({ next, situation: { request } }: Moved): string => {
  if (next instanceof OAuthError) return request.tenant
  if ('toProve' in next) return next.toProve.brought.tenantId
  return 'member' in next ? next.member.tenant_id : request.tenant
}

/** The look of a tenant that is known by the request or by choice. */
const brandingOf = async (ctx: Ctx, moved: Moved): Promise<Interaction['branding']> => {
  const named = tenantOf(moved)
  const tenant = named === '' ? undefined : await store.selectTenant(ctx.db, named.toLowerCase())
  const { parts } = ctx
  const row = tenant && (await store.selectBranding(parts.store.scoped({ tenantId: tenant.id }), tenant.id))
  return { name: '', logo: '', color: '', ...row?.value }
}

const scopesOf = async ({ db }: Ctx, { next }: Moved): Promise<Interaction['scopes']> => {
  if (next instanceof OAuthError || next.step !== 'consent') return []
  const { given, fresh } = next
  const named = new Map((await store.selectPermissions(db, given.scopes)).map((one) => [one.code, one]))
  return given.scopes.map((code) => ({
    code,
    name: named.get(code)?.name ?? code,
    description: named.get(code)?.description ?? '',
    is_new: fresh.includes(code),
  }))
}

const applicationOf = ({ client, request }: Situation): Interaction['application'] => ({
  name: client.name,
  logo: client.logo,
  home_url: client.home_url,
  is_third_party: client.is_third_party,
  is_registered: client.origin !== 'managed',
  redirect_host: redirectHostOf(request.redirectUri),
})

const accountOf = ({ next, situation: { progress, request } }: Moved): string => {
  const typed = progress.email ?? request.loginHint
  if (next instanceof OAuthError) return typed
  if ('toProve' in next) return next.toProve.account.email
  return 'signIn' in next ? next.signIn.email : typed
}

/** The tenants to choose from; at the proof of an account, the one whose connection wants to link it. */
const tenantsOf = (next: Moved['next']): Interaction['tenants'] => {
  if (isOver(next) || isRefused(next)) return []
  if ('toProve' in next) return [{ id: next.toProve.brought.tenantId, name: next.toProve.tenant }]
  return next.step === 'tenant' ? next.members.map(({ tenant_id, name }) => ({ id: tenant_id, name })) : []
}

const passkeyOptionsOf = ({ next, situation, shown }: Moved): Interaction['passkey_options'] => {
  if (shown?.passkeyOptions) return shown.passkeyOptions
  const isFactor = !isOver(next) && next.step === 'factor'
  return (isFactor && situation.progress.secondStep?.passkey_options) || null
}

const sourceOf = async ({ db }: Ctx, { situation }: Moved): Promise<string> => {
  const { deviceHash } = situation.progress
  return deviceHash === undefined ? '' : ((await selectDevice(db, Buffer.from(deviceHash, 'hex')))?.ip ?? '')
}

export const describeInteraction = async (ctx: Ctx, moved: Moved): Promise<Interaction> => {
  const { id, next, situation, shown } = moved
  const [branding, scopes, source, methods] = await Promise.all([
    brandingOf(ctx, moved),
    scopesOf(ctx, moved),
    sourceOf(ctx, moved),
    methodsOf(ctx, moved),
  ])
  return {
    id,
    step: isOver(next) || isRefused(next) ? 'done' : next.step,
    application: applicationOf(situation),
    branding,
    tenants: tenantsOf(next),
    scopes,
    source,
    account: accountOf(moved),
    methods,
    passkey_options: passkeyOptionsOf(moved),
    enrolment: shown?.enrolment ?? null,
    ...(shown?.recoveryCodes && { recovery_codes: shown.recoveryCodes }),
    redirect_to: await redirectOf(ctx, moved),
  }
}
