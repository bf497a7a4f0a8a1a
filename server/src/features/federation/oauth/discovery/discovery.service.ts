/** The metadata of the authorization server (RFC 8414, OpenID Connect Discovery). */
import type { Config } from '../../../../config/config.ts'
import type { Ctx } from '../../../../context.ts'
import { idAlgorithm, tokenAlgorithms } from '../../../../crypto/algorithms.ts'
import { frontDoorFault, oauthUrl } from '../../../../config/front-door.ts'
import { keySetPath } from '../../../sign-in/auth/auth.schemas.ts'
import { cacheable } from '../../../sign-in/auth/auth.service.ts'
import type { ServerMetadata } from './discovery.schemas.ts'
import { openIdScopes, promptsOf } from '../request/authorization-request.ts'
import { grantTypes } from '../token/token.service.ts'

export { cacheable }

const authMethods = ['client_secret_basic', 'client_secret_post', 'none']

const claims = (
  'iss sub aud exp iat tid sid auth_time acr amr at_hash nonce ' +
  'name preferred_username locale tenant_name tenant_slug picture email email_verified person'
).split(' ')

/** Present only if the configuration lets clients register themselves. */
const clientsOf = (
  config: Config,
): Pick<ServerMetadata, 'client_id_metadata_document_supported' | 'registration_endpoint'> => ({
  ...(config.clientDocuments !== 'off' && { client_id_metadata_document_supported: true }),
  ...(config.clientRegistration === 'open' && { registration_endpoint: oauthUrl(config, 'register') }),
})

/** States every field, because some defaults of the standards name features that this server lacks. */
const flowsOf = (config: Config): Omit<ServerMetadata, keyof ReturnType<typeof keysOf>> => ({
  authorization_endpoint: oauthUrl(config, 'authorize'),
  token_endpoint: oauthUrl(config, 'token'),
  userinfo_endpoint: oauthUrl(config, 'userinfo'),
  introspection_endpoint: oauthUrl(config, 'introspect'),
  revocation_endpoint: oauthUrl(config, 'revoke'),
  device_authorization_endpoint: oauthUrl(config, 'device_authorization'),
  end_session_endpoint: oauthUrl(config, 'logout'),
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'form_post'],
  grant_types_supported: grantTypes,
  scopes_supported: [...openIdScopes],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  // Verifiers of access tokens read the algorithms here too (decision 0023).
  id_token_signing_alg_values_supported: [
    idAlgorithm,
    ...tokenAlgorithms.filter((one) => one !== idAlgorithm),
  ],
  acr_values_supported: ['single', 'mfa'],
  prompt_values_supported: promptsOf(config),
  claims_supported: claims,
  ui_locales_supported: ['en', 'zh'],
  authorization_response_iss_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_parameter_supported: false,
})

const keysOf = ({ issuer, publicUrl }: Config) => ({
  issuer,
  jwks_uri: `${publicUrl}${keySetPath}`,
  subject_types_supported: ['public'],
})

/** The metadata. Without a usable public address, they have only the keys, for verifiers of access tokens. */
export const getServerMetadata = ({ parts: { config } }: Ctx): ServerMetadata =>
  frontDoorFault(config) === undefined
    ? { ...keysOf(config), ...flowsOf(config), ...clientsOf(config) }
    : {
        ...keysOf(config),
        response_types_supported: [],
        id_token_signing_alg_values_supported: [...tokenAlgorithms],
      }
