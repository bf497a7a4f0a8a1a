/** The beginning of an authorization (RFC 6749, 4.1.1). */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { findResourceFor, type Client } from '../../applications/clients.service.ts'
import { findNamedClient, isKnown } from '../../applications/documents.service.ts'
import { listProductCodes } from '../../../accounts/roles/roles.service.ts'
import { answerWithCode } from '../interaction/authorization-code.service.ts'
import { answerTo, type AuthorizationAnswer } from '../request/authorization-response.service.ts'
import {
  readPlace,
  requestOf,
  requireReadable,
  textOf,
  type Parameters,
} from '../request/request-parameters.ts'
import type { BrowserCookies } from '../browser/browser-cookies.ts'
import { findClientAtRedirect, type ClientAtRedirect } from '../request/client-redirect.service.ts'
import { openInteraction, situationOf, type OpenedInteraction } from '../interaction/interactions.service.ts'
import { findNext, silentError, type Next } from '../interaction/next-step.service.ts'
import { promptsOf, type AuthorizationRequest } from '../request/authorization-request.ts'
import { isImitable, type Situation } from '../interaction/interaction-state.ts'
import { findSignIn, type SignIn } from '../browser/sign-ins.service.ts'

export type { Parameters }

export type Authorization =
  | { kind: 'refused' }
  | { kind: 'answer'; answer: AuthorizationAnswer }
  /** `connection`: the sign-in goes on at its provider. */
  | (OpenedInteraction & { kind: 'interaction'; connection?: string })

const only = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The target of a request; undefined for one that must not be answered there. */
const findTarget = async (ctx: Ctx, params: Parameters, signIn: SignIn | undefined) => {
  const [clientId, redirectUri] = [only(params['client_id']), only(params['redirect_uri'])]
  if (!clientId || clientId.length > 512 || !redirectUri || redirectUri.length > 2048) return undefined
  const named = await findNamedClient(ctx, clientId)
  return named && findClientAtRedirect(ctx, { client: named, redirectUri }, signIn)
}

/** Reads the request, asks what is to be asked, and answers the application where nothing is. */
export const authorize = async (
  ctx: Ctx,
  params: Parameters,
  cookies: BrowserCookies,
): Promise<Authorization> => {
  const signIn = await findSignIn(ctx, cookies.signIn)
  const target = await findTarget(ctx, params, signIn)
  if (!target) return { kind: 'refused' }
  try {
    const request = await readRequest(ctx, params, target)
    return await begin(ctx, request, { client: target.client, signIn, browser: cookies.browser })
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    if (!isKnown(target.client)) return { kind: 'refused' }
    const place = { redirectUri: target.redirectUri, ...readPlace(params) }
    return { kind: 'answer', answer: answerTo(ctx.parts.config, place, err) }
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
    productCodes: new Set(productCodes),
    resource,
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
  const found = await findResourceFor(ctx, client, identifier)
  if (!found) throw new OAuthError('invalid_target', 'The client may not name this resource')
  return { id: found.id, identifier: found.identifier }
}

/** The user of an ID token that was issued to the client; its age does not matter. */
const readHint = async ({ parts }: Ctx, params: Parameters, client: Client) => {
  const hint = textOf(params, 'id_token_hint')
  if (hint === undefined) return undefined
  const claims = await parts.tokens.readIdentity(hint, parts.now())
  if (claims?.aud !== client.client_id) {
    throw new OAuthError('invalid_request', 'id_token_hint is no ID token of this client')
  }
  return { tenantId: String(claims['tid']), userId: Number(claims.sub) }
}

/** Whether nobody has proved who they are. */
const asksForProofs = ({ step }: Next): boolean => step === 'identify' || step === 'password'

const begin = async (
  ctx: Ctx,
  request: AuthorizationRequest,
  { client, signIn, browser }: Pick<Situation, 'client' | 'signIn'> & Pick<BrowserCookies, 'browser'>,
): Promise<Authorization> => {
  const begunAt = ctx.parts.now()
  const situation = await situationOf(ctx, { request, client, progress: {}, version: 0, signIn, begunAt })
  const next = await findNext(ctx, situation)
  if (next.step === 'refused') return { kind: 'refused' }
  if (next.step === 'done') return { kind: 'answer', answer: await answerWithCode(ctx, situation, next) }
  if (request.prompt.includes('none')) throw silentError(next, isImitable(situation))
  const opened = { kind: 'interaction', ...(await openInteraction(ctx, request, browser)) } as const
  const { connection } = request
  return connection !== undefined && asksForProofs(next) ? { ...opened, connection } : opened
}
