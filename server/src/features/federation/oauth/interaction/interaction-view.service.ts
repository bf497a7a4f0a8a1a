/** The view of an interaction for its page. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isMailOn } from '../../../accounts/mail/mail.service.ts'
import { getRegistration } from '../../../sign-in/auth/auth.service.ts'
import { readPortal } from '../../../configuration/portal/portal.service.ts'
import { readWays } from '../../../sign-in/ways/ways.service.ts'
import { passkeysAreOn } from '../../../../config/relying-party.ts'
import { describeScope } from '../../../../access/assistant-scopes.ts'
import { consoleClient, findClient } from '../../applications/clients.service.ts'
import { asksPassword } from './enrolment.service.ts'
import { finishInteraction, isFinished, isRefused } from './completion.service.ts'
import type { InteractionResult } from './interactions.service.ts'
import { selectDevice } from '../devices/devices.store.ts'
import * as store from './interaction-view.store.ts'
import type { FindLook, Interaction, Look } from './interactions.schemas.ts'
import type { InteractionProgress } from './interaction-progress.ts'
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
  { request: { prompt, tenant }, progress }: InteractionState,
): Promise<Methods> => {
  if ((await getRegistration(ctx)).first_becomes_admin) return ['first_admin']
  const proofs = await proofMethods(ctx, tenant)
  const registration = registrationMethods[ctx.parts.config.signUp]
  return prompt.includes('create') || progress.signUpFor !== undefined
    ? [...registration, ...proofs]
    : [...proofs, ...registration]
}

/** Whether only a mailed link proves the account. For a typed address the step shows nothing of the account. */
const needsLink = ({ account, brought }: NonNullable<InteractionProgress['toProve']>): boolean =>
  account.isUnowned && !('provider' in brought && !brought.isProved)

/** The methods of each step. The first step has the same methods for every address, so it reveals no account. */
const methodsAt: Partial<
  Record<OpenStep['step'], (ctx: Ctx, state: InteractionState) => Methods | Promise<Methods>>
> = {
  identify: firstMethods,
  password: firstMethods,
  email_code: firstMethods,
  factor: (_ctx, { progress }) => progress.secondStep?.methods ?? [],
  proof: (ctx, { progress }) => [
    ...(progress.toProve && needsLink(progress.toProve)
      ? []
      : (['password', ...passkeyMethods(ctx)] as const)),
    ...(isMailOn(ctx.parts) ? (['link'] as const) : []),
  ],
  offer_passkey: passkeyMethods,
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
const readTenantBranding = async ({ db, parts }: Ctx, named: string): Promise<store.TenantBranding> => {
  const tenant = named === '' ? undefined : await store.selectTenant(db, named.toLowerCase())
  const row = tenant && (await store.selectBranding(parts.store.scoped({ tenantId: tenant.id }), tenant.id))
  return row?.value ?? {}
}

type Portal = Awaited<ReturnType<typeof readPortal>>

/** The branding of the tenant with this id or slug, and the portal where that says nothing else. */
const readLook = async (
  ctx: Ctx,
  named: string,
): Promise<{ branding: Interaction['branding']; portal: Portal }> => {
  const [own, portal] = await Promise.all([readTenantBranding(ctx, named), readPortal(ctx.db)])
  const branding = {
    name: own.name || portal.product,
    logo: own.logo || portal.logo,
    logo_dark: own.logo ? '' : portal.logo_dark,
    icon: portal.icon || portal.logo,
    color: own.color || portal.color,
  }
  return { branding, portal }
}

/**
 * How the pages of the own account look. A client that registered itself is null: nobody has checked its name, and its
 * address is no way back.
 */
export const findLook = async (ctx: Ctx, { client_id = '', tenant = '' }: FindLook): Promise<Look> => {
  const [client, { branding }] = await Promise.all([findClient(ctx, client_id), readLook(ctx, tenant)])
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
    ...describeScope(code, named.get(code)),
    is_new: unconsented.includes(code),
  }))
}

const applicationOf = (
  { client, request }: InteractionState,
  { product }: Portal,
): Interaction['application'] => ({
  name: (client === consoleClient && product) || client.name,
  logo: client.logo,
  home_url: client.home_url,
  is_third_party: client.is_third_party,
  is_registered: client.origin !== 'managed',
  redirect_host: redirectHostOf(request.redirectUri),
})

const accountOf = ({ next, state: { progress, request } }: InteractionResult): string => {
  const typed = progress.email ?? progress.signUpFor ?? request.loginHint
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
  const [{ branding, portal }, scopes, source, methods, asks] = await Promise.all([
    readLook(ctx, tenantOf(result)),
    scopesOf(ctx, result),
    sourceOf(ctx, result),
    methodsOf(ctx, result),
    asksPassword(ctx, result),
  ])
  return {
    id,
    step: isFinished(next) || isRefused(next) ? 'done' : next.step,
    application: applicationOf(state, portal),
    branding,
    tenants: tenantsOf(next),
    scopes,
    source,
    account: accountOf(result),
    methods,
    passkey_options: passkeyOptionsOf(result),
    asks_password: asks,
    enrolment: shownOnce?.enrolment ?? null,
    ...(shownOnce?.recoveryCodes && { recovery_codes: shownOnce.recoveryCodes }),
    is_unpermitted: 'step' in next && next.step === 'unpermitted',
    redirect_to: await finishInteraction(ctx, result),
  }
}
