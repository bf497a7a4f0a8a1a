/** The view of an interaction for its page. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isMailOn } from '../../../accounts/mail/mail.service.ts'
import { getRegistration } from '../../../sign-in/auth/auth.service.ts'
import { readWays } from '../../../sign-in/ways/ways.service.ts'
import { passkeysAreOn } from '../../../../config/relying-party.ts'
import { findClient } from '../../applications/clients.service.ts'
import { finishInteraction, isFinished, isRefused } from './completion.service.ts'
import type { InteractionResult } from './interactions.service.ts'
import { selectDevice } from '../devices/devices.store.ts'
import * as store from './interaction-view.store.ts'
import type { FindLook, Interaction, Look } from './interactions.schemas.ts'
import type { OpenStep } from './next-step.service.ts'
import type { Member } from '../browser/sign-ins.service.ts'
import { redirectHostOf, type InteractionState } from './interaction-state.ts'

type Methods = Interaction['methods']

const passkeyMethods = ({ parts: { config } }: Ctx): Methods => (passkeysAreOn(config) ? ['passkey'] : [])

/** The proofs that are open in the tenant of the request, or in the installation. */
const proofMethods = async (ctx: Ctx, tenant: string): Promise<Methods> => {
  const ways = await readWays(ctx, tenant)
  return [
    ...(ways.password ? (['password'] as const) : []),
    ...(ways.passkey ? passkeyMethods(ctx) : []),
    ...(ways.email_code ? (['email_code'] as const) : []),
    ...ways.providers.map(({ slug }) => `provider:${slug}` as const),
  ]
}

const registrationMethods = { user: ['register'], organization: ['sign_up'], closed: [] } as const

/**
 * Returns the preferred methods first: registration for `prompt=create`. Before the first account exists, returns only
 * the creation of the first administrator.
 */
const firstMethods = async (
  ctx: Ctx,
  { request: { prompt, tenant } }: InteractionState,
): Promise<Methods> => {
  if ((await getRegistration(ctx)).first_becomes_admin) return ['first_admin']
  const proofs = await proofMethods(ctx, tenant)
  const registration = registrationMethods[ctx.parts.config.signUp]
  return prompt.includes('create') ? [...registration, ...proofs] : [...proofs, ...registration]
}

/** The methods of each step. The first step has the same methods for every address, so it reveals no account. */
const methodsAt: Partial<
  Record<OpenStep['step'], (ctx: Ctx, state: InteractionState) => Methods | Promise<Methods>>
> = {
  identify: firstMethods,
  password: firstMethods,
  email_code: firstMethods,
  factor: (_ctx, { progress }) => progress.secondStep?.methods ?? [],
  proof: (ctx, { progress }) => [
    // A provider's address can be typed, so its step shows nothing of the account.
    ...(progress.toProve?.account.isUnowned && !('provider' in progress.toProve.brought)
      ? []
      : (['password', ...passkeyMethods(ctx)] as const)),
    ...(isMailOn(ctx.parts) ? (['link'] as const) : []),
  ],
  enrol: (ctx) => [...(ctx.parts.secrets.isOn ? (['totp'] as const) : []), ...passkeyMethods(ctx)],
}

const methodsOf = async (ctx: Ctx, { next, state }: InteractionResult): Promise<Methods> =>
  (isFinished(next) || isRefused(next) ? undefined : await methodsAt[next.step]?.(ctx, state)) ?? []

const tenantOf = ({ next, state: { request } }: InteractionResult): string => {
  if (next instanceof OAuthError) return request.tenant
  if ('toProve' in next) return next.toProve.brought.tenantId
  return 'member' in next ? next.member.tenant_id : request.tenant
}

/** The branding of the tenant with this id or slug. */
const readBranding = async ({ db, parts }: Ctx, named: string): Promise<Interaction['branding']> => {
  const tenant = named === '' ? undefined : await store.selectTenant(db, named.toLowerCase())
  const row = tenant && (await store.selectBranding(parts.store.scoped({ tenantId: tenant.id }), tenant.id))
  return { name: '', logo: '', color: '', ...row?.value }
}

/**
 * How the pages of the own account look. A client that registered itself is null: nobody has checked its name, and its
 * address is no way back.
 */
export const findLook = async (ctx: Ctx, { client_id = '', tenant = '' }: FindLook): Promise<Look> => {
  const [client, branding] = await Promise.all([findClient(ctx, client_id), readBranding(ctx, tenant)])
  const isShown = client?.status === 1 && client.origin === 'managed'
  const application = isShown ? { name: client.name, logo: client.logo, home_url: client.home_url } : null
  return { application, branding }
}

const scopesOf = async ({ db }: Ctx, { next }: InteractionResult): Promise<Interaction['scopes']> => {
  if (next instanceof OAuthError || next.step !== 'consent') return []
  const { access, unconsented } = next
  const named = new Map((await store.selectPermissions(db, access.scopes)).map((one) => [one.code, one]))
  return access.scopes.map((code) => ({
    code,
    name: named.get(code)?.name ?? code,
    description: named.get(code)?.description ?? '',
    is_new: unconsented.includes(code),
  }))
}

const applicationOf = ({ client, request }: InteractionState): Interaction['application'] => ({
  name: client.name,
  logo: client.logo,
  home_url: client.home_url,
  is_third_party: client.is_third_party,
  is_registered: client.origin !== 'managed',
  redirect_host: redirectHostOf(request.redirectUri),
})

const accountOf = ({ next, state: { progress, request } }: InteractionResult): string => {
  const typed = progress.email ?? request.loginHint
  if (next instanceof OAuthError) return typed
  if ('toProve' in next) {
    const { brought, account } = next.toProve
    return 'provider' in brought ? brought.email : account.email
  }
  return 'signIn' in next ? next.signIn.email : typed
}

/**
 * The tenants that the person can choose. At the step `proof` the tenant of the connection, and at `new_password` that
 * whose rules the password obeys. At the end the tenant where the person lacks the required permission.
 */
const tenantsOf = (next: InteractionResult['next']): Interaction['tenants'] => {
  if (next instanceof OAuthError) return []
  if ('toProve' in next) return [{ id: next.toProve.brought.tenantId, name: next.toProve.tenant }]
  return membersOf(next).map(({ tenant_id: id, name }) => ({ id, name }))
}

const membersOf = (next: Exclude<InteractionResult['next'], OAuthError>): Member[] => {
  if (next.step === 'tenant') return next.members
  return next.step === 'new_password' || next.step === 'unpermitted' ? [next.member] : []
}

const passkeyOptionsOf = ({ next, state, shownOnce }: InteractionResult): Interaction['passkey_options'] => {
  if (shownOnce?.passkeyOptions) return shownOnce.passkeyOptions
  const isFactor = !isFinished(next) && next.step === 'factor'
  return (isFactor && state.progress.secondStep?.passkey_options) || null
}

const sourceOf = async ({ db }: Ctx, { state }: InteractionResult): Promise<string> => {
  const { deviceHash } = state.progress
  return deviceHash === undefined ? '' : ((await selectDevice(db, Buffer.from(deviceHash, 'hex')))?.ip ?? '')
}

/** Describes the interaction for its page. Ends a finished interaction. */
export const describeInteraction = async (ctx: Ctx, result: InteractionResult): Promise<Interaction> => {
  const { id, next, state, shownOnce } = result
  const [branding, scopes, source, methods] = await Promise.all([
    readBranding(ctx, tenantOf(result)),
    scopesOf(ctx, result),
    sourceOf(ctx, result),
    methodsOf(ctx, result),
  ])
  return {
    id,
    step: isFinished(next) || isRefused(next) ? 'done' : next.step,
    application: applicationOf(state),
    branding,
    tenants: tenantsOf(next),
    scopes,
    source,
    account: accountOf(result),
    methods,
    passkey_options: passkeyOptionsOf(result),
    enrolment: shownOnce?.enrolment ?? null,
    ...(shownOnce?.recoveryCodes && { recovery_codes: shownOnce.recoveryCodes }),
    is_unpermitted: 'step' in next && next.step === 'unpermitted',
    redirect_to: await finishInteraction(ctx, result),
  }
}
