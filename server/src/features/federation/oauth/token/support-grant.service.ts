/** The token exchange (RFC 8693) of a code that a support session got for the product. */
import type { Ctx } from '../../../../context.ts'
import { inTenant } from '../../../../context.ts'
import { verifierPattern } from '../../../../crypto/pkce.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { findPerson } from '../../../accounts/sessions/application-sessions.service.ts'
import { getResourceFor, type Client, type NamedResource } from '../../applications/clients.service.ts'
import { redeemSupportCode, type OpenedSession } from '../../../sign-in/support/openings.service.ts'
import { isPermissionScope } from '../request/authorization-request.ts'
import {
  invalidGrant,
  invalidRequest,
  noPermissionGranted,
  requireParameter,
  scopesOf,
  verifierInvalid,
} from '../request/grant-errors.ts'
import * as store from './scopes.store.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const codeType = 'urn:tenantry:token-type:support-code'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

const scopesMax = 100
/** A session of support has no refresh, and no ID token. */
const basicScopes = ['openid', 'profile', 'email']

interface Granted {
  scopes: string[]
  narrowedTo: string[] | undefined
  resource: NamedResource | undefined
}

/** Scopes only narrow, as at an authorization (docs/sign-in.md, "Scopes and resource"). */
const grantOf = async (ctx: Ctx, client: Client, input: TokenRequest): Promise<Granted> => {
  const requested = scopesOf(input.scope)
  if (requested.length > scopesMax) {
    throw new OAuthError('invalid_scope', `scope has more than ${scopesMax} values`)
  }
  const { resource: identifier } = input
  const resource = identifier === undefined ? undefined : await getResourceFor(ctx, client, identifier)
  const basic = requested.filter((scope) => basicScopes.includes(scope))
  const named = requested.filter(isPermissionScope)
  if (named.length === 0) {
    const codes = resource?.codes
    return { scopes: [...basic, ...(codes ?? [])], narrowedTo: codes, resource }
  }
  const known = (await store.selectProductCodes(ctx.db, named)).map(({ code }) => code)
  const codes = resource ? known.filter((code) => resource.codes.includes(code)) : known
  if (codes.length === 0) throw noPermissionGranted()
  return { scopes: [...basic, ...codes], narrowedTo: codes, resource }
}

/** The grant, or the error for which the code is used up. */
const orFault = (granting: Promise<Granted>): Promise<Granted | OAuthError> =>
  granting.catch((err: unknown) => {
    if (err instanceof OAuthError) return err
    throw err
  })

const requireExchange = (client: Client, input: TokenRequest): { code: string; verifier: string } => {
  if (client.support_uri === '') {
    throw new OAuthError('unauthorized_client', 'The client takes no support sessions')
  }
  if (input.actor_token !== undefined) throw invalidRequest('actor_token is not supported')
  if (input.subject_token_type !== codeType) throw invalidRequest(`subject_token_type must be ${codeType}`)
  const verifier = requireParameter('code_verifier', input.code_verifier)
  if (!verifierPattern.test(verifier)) throw verifierInvalid()
  return { code: requireParameter('subject_token', input.subject_token), verifier }
}

const respond = async (
  ctx: Ctx,
  client: Client,
  opened: OpenedSession,
  { scopes, resource }: Granted,
): Promise<TokenAnswer> => {
  const { tokens, now, config } = ctx.parts
  const { tenantId, sessionId, user_id: userId, support, ends_at: endsAt } = opened
  const person = await findPerson(inTenant(ctx, tenantId), userId)
  if (!person) throw invalidGrant('The user is gone')
  const latest = new Date(now().getTime() + tokens.accessSeconds * 1000)
  const expiresAt = endsAt < latest ? endsAt : latest
  const scope = scopes.join(' ')
  const accessToken = await tokens.signSupport(
    {
      userId,
      tenantId,
      sessionId,
      actor: { userId: support.userId, tenantId: support.tenantId, name: support.name },
      support: { id: support.id, kind: support.kind },
      amr: opened.amr,
      authTime: opened.auth_time,
      connectionId: opened.connection_id ?? undefined,
      expiresAt,
      application: {
        clientId: client.client_id,
        audience: resource?.identifier ?? config.audience,
        scope,
        authTime: opened.auth_time,
        person: person.person,
      },
    },
    now(),
  )
  return {
    access_token: accessToken,
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.ceil((expiresAt.getTime() - now().getTime()) / 1000)),
    scope,
  }
}

/** Exchanges the code of a support session. The session that it opens ends with the support session. */
export const exchangeSupportCode = async (
  ctx: Ctx,
  client: Client,
  input: TokenRequest,
): Promise<TokenAnswer> => {
  const { code, verifier } = requireExchange(client, input)
  const found = await orFault(grantOf(ctx, client, input))
  const granted = found instanceof OAuthError ? undefined : { ...found, resourceId: found.resource?.id }
  const opened = await redeemSupportCode(ctx, { code, verifier, applicationId: client.id, granted })
  if (found instanceof OAuthError) throw found
  if (!opened) throw invalidGrant('The code is unknown, was used already, or has expired')
  return respond(ctx, client, opened, found)
}
