/** The token endpoint: authenticates the client, and calls the handler of the grant. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { deviceGrant } from '../../applications/applications.schemas.ts'
import type { Client } from '../../applications/clients.service.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import { issueForKey } from './client-credentials-grant.service.ts'
import { exchangeCode } from './code-grant.service.ts'
import { exchangeDeviceCode } from './device-grant.service.ts'
import { requireParameter } from '../request/grant-errors.ts'
import { exchangeSupportCode, tokenExchange } from './support-grant.service.ts'
import { refreshGrant } from './refresh-grant.service.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

type GrantHandler = (ctx: Ctx, client: Client, input: TokenRequest) => Promise<TokenAnswer>

/** The grants of applications, by `grant_type`. */
const grantHandlers = new Map<string, GrantHandler>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshGrant],
  [deviceGrant, exchangeDeviceCode],
  [tokenExchange, exchangeSupportCode],
])

const clientCredentials = 'client_credentials'

/** The grants of the token endpoint, as its metadata names them (RFC 8414). */
export const grantTypes = [...grantHandlers.keys(), clientCredentials]

const unauthorized = () => new OAuthError('unauthorized_client', 'The client may not use this grant')

/** Authenticates the client first. Only then reads a code or a token. */
export const handleTokenRequest = async (
  gate: ClientGate,
  ctx: Ctx,
  authorization: string | undefined,
  input: TokenRequest,
): Promise<TokenAnswer> => {
  const proved = await gate.authenticate(ctx, authorization, input)
  const type = requireParameter('grant_type', input.grant_type)
  const handler = grantHandlers.get(type)
  if (!handler && type !== clientCredentials) {
    throw new OAuthError('unsupported_grant_type', 'There is no such grant')
  }
  if (proved.kind === 'service_account') {
    if (handler) throw unauthorized()
    return issueForKey(ctx, proved.actor, input)
  }
  const { client } = proved
  // The exchange is open to every application with a page for support.
  const isOpen = type === tokenExchange || client.grant_types.includes(type)
  if (!handler || !isOpen) throw unauthorized()
  return handler(ctx, client, input)
}
