/** The authorization endpoint (RFC 6749, 4.1.1): responds at once, or opens an interaction. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { codesFor, getResourceFor, type Client } from '../../applications/clients.service.ts'
import { findNamedClient, isKnown } from '../../applications/documents.service.ts'
import { listProductCodes } from '../../../accounts/roles/roles.service.ts'
import { respondWithCode } from '../interaction/authorization-code.service.ts'
import {
  authorizationResponse,
  type AuthorizationResponse,
} from '../request/authorization-response.service.ts'
import {
  readResponseParameters,
  requestOf,
  requireReadable,
  textOf,
  type Parameters,
} from '../request/request-parameters.ts'
import { readWays } from '../../../sign-in/ways/ways.service.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import { findClientAtRedirect, type ClientAtRedirect } from '../request/client-redirect.service.ts'
import {
  openInteraction,
  completeState,
  type OpenedInteraction,
} from '../interaction/interactions.service.ts'
import {
  findNextStep,
  promptNoneError,
  unpermitted,
  type NextStep,
} from '../interaction/next-step.service.ts'
import { promptsOf, type AuthorizationRequest } from '../request/authorization-request.ts'
import { isImitable, type InteractionState } from '../interaction/interaction-state.ts'
import { findSignIn, type SignIn } from '../browser/sign-ins.service.ts'

export type { Parameters }

/** Why the application gets no response. */
export type Fault = 'invalid_request' | 'invalid_client' | 'invalid_redirect_uri'

export type Authorization =
  | { kind: 'refused'; fault: Fault }
  | { kind: 'response'; response: AuthorizationResponse }
  /** `start` is the query of the provider to which the service first sends the browser; undefined for none. */
  | (OpenedInteraction & { kind: 'interaction'; start: string | undefined })

const singleText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const readIdentifiers = (params: Parameters): { clientId: string; redirectUri: string } | undefined => {
  const [clientId, redirectUri] = [singleText(params['client_id']), singleText(params['redirect_uri'])]
  if (!clientId || clientId.length > 512 || !redirectUri || redirectUri.length > 2048) return undefined
  return { clientId, redirectUri }
}

/** Client and redirect address. A fault if no response may go to the address. */
const findClientOfRequest = async (
  ctx: Ctx,
  params: Parameters,
  signIn: SignIn | undefined,
): Promise<ClientAtRedirect | Fault> => {
  const named = readIdentifiers(params)
  if (!named) return 'invalid_request'
  const client = await findNamedClient(ctx, named.clientId)
  if (client?.status !== 1) return 'invalid_client'
  const found = await findClientAtRedirect(ctx, { client, redirectUri: named.redirectUri }, signIn)
  return found ?? (isKnown(client) ? 'invalid_redirect_uri' : 'invalid_client')
}

/** Validates the request. Opens an interaction if the person must answer a step, and otherwise responds. */
export const authorize = async (
  ctx: Ctx,
  params: Parameters,
  cookies: BrowserCookies,
): Promise<Authorization> => {
  const signIn = await findSignIn(ctx, cookies.signIn)
  const atRedirect = await findClientOfRequest(ctx, params, signIn)
  if (typeof atRedirect === 'string') return { kind: 'refused', fault: atRedirect }
  try {
    const request = await readRequest(ctx, params, atRedirect)
    return await startAuthorization(ctx, request, {
      client: atRedirect.client,
      signIn,
      browser: cookies.browser,
    })
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    if (!isKnown(atRedirect.client)) return { kind: 'refused', fault: 'invalid_client' }
    const request = { redirectUri: atRedirect.redirectUri, ...readResponseParameters(params) }
    return { kind: 'response', response: authorizationResponse(ctx.parts.config, request, err) }
  }
}

const readRequest = async (
  ctx: Ctx,
  params: Parameters,
  { client, redirectUri }: ClientAtRedirect,
): Promise<AuthorizationRequest> => {
  requireReadable(params)
  const [productCodes, resource, hintedUser] = await Promise.all([
    listProductCodes(ctx),
    readResource(ctx, params, client),
    readHint(ctx, params, client),
  ])
  return requestOf(client, params, {
    prompts: promptsOf(ctx.parts.config),
    redirectUri,
    codes: codesFor(productCodes, resource),
    resource: resource && { id: resource.id, identifier: resource.identifier },
    hintedUser,
  })
}

const readResource = async (ctx: Ctx, params: Parameters, client: Client) => {
  if (Array.isArray(params['resource'])) {
    throw new OAuthError('invalid_target', 'resource was given more than once')
  }
  const identifier = textOf(params, 'resource', 512)
  if (identifier === undefined) {
    if (client.origin === 'managed') return undefined
    throw new OAuthError('invalid_target', 'This client has to name a resource')
  }
  return getResourceFor(ctx, client, identifier)
}

/** The user of `id_token_hint`, an ID token of this client. It may have expired. */
const readHint = async ({ parts }: Ctx, params: Parameters, client: Client) => {
  const hint = textOf(params, 'id_token_hint')
  if (hint === undefined) return undefined
  const claims = await parts.tokens.readIdentity(hint, parts.now())
  if (claims?.aud !== client.client_id) {
    throw new OAuthError('invalid_request', 'id_token_hint is no ID token of this client')
  }
  return { tenantId: String(claims['tid']), userId: Number(claims.sub) }
}

const needsFirstProof = ({ step }: NextStep): boolean => step === 'identify' || step === 'password'

const startAuthorization = async (
  ctx: Ctx,
  request: AuthorizationRequest,
  { client, signIn, browser }: Pick<InteractionState, 'client' | 'signIn'> & Pick<BrowserCookies, 'browser'>,
): Promise<Authorization> => {
  const begunAt = ctx.parts.now()
  const state = await completeState(ctx, { request, client, progress: {}, version: 0, signIn, begunAt })
  const next = await findNextStep(ctx, state)
  if (next.step === 'refused') return { kind: 'refused', fault: 'invalid_client' }
  if (next.step === 'done') return { kind: 'response', response: await respondWithCode(ctx, state, next) }
  if (request.prompt.includes('none')) {
    throw next.step === 'unpermitted' ? unpermitted() : promptNoneError(next, isImitable(state))
  }
  const start = needsFirstProof(next) ? await findStart(ctx, request) : undefined
  return { kind: 'interaction', start, ...(await openInteraction(ctx, request, browser)) }
}

/** The provider of the request. A provider of the installation that is not open is left out. */
const findStart = async (
  ctx: Ctx,
  { connection, provider, tenant }: AuthorizationRequest,
): Promise<string | undefined> => {
  if (connection !== undefined) return `connection=${connection}`
  if (provider === undefined) return undefined
  const { providers } = await readWays(ctx, tenant)
  return providers.some(({ slug }) => slug === provider) ? `provider=${provider}` : undefined
}
