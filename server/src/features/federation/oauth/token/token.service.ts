/** The token endpoint: each grant has a way of its own. */
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { deviceGrant } from '../../applications/applications.schemas.ts'
import type { Client } from '../../applications/clients.service.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import { issueForKey } from './client-credentials-grant.service.ts'
import { exchangeCode } from './code-grant.service.ts'
import { exchangeDevice } from './device-grant.service.ts'
import { required } from '../request/grant-errors.ts'
import { refreshGrant } from './refresh-grant.service.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

type Way = (ctx: Ctx, client: Client, input: TokenRequest) => Promise<TokenAnswer>

/** The ways of applications, by `grant_type`. */
const ways = new Map<string, Way>([
  ['authorization_code', exchangeCode],
  ['refresh_token', refreshGrant],
  [deviceGrant, exchangeDevice],
])

const clientCredentials = 'client_credentials'

/** The grants of the token endpoint, as its metadata names them (RFC 8414). */
export const grantTypes = [...ways.keys(), clientCredentials]

const unauthorized = () => new OAuthError('unauthorized_client', 'The client may not use this grant')

/** Issues tokens. The client proves itself first: only then is a code or a token looked at. */
export const issue = async (
  gate: ClientGate,
  ctx: Ctx,
  authorization: string | undefined,
  input: TokenRequest,
): Promise<TokenAnswer> => {
  const proved = await gate.authenticate(ctx, authorization, input)
  const type = required('grant_type', input.grant_type)
  const way = ways.get(type)
  if (!way && type !== clientCredentials) {
    throw new OAuthError('unsupported_grant_type', 'There is no such grant')
  }
  if (proved.kind === 'service_account') {
    if (way) throw unauthorized()
    return issueForKey(ctx, proved.actor, input)
  }
  const { client } = proved
  if (!way || !client.grant_types.includes(type)) throw unauthorized()
  return way(ctx, client, input)
}
