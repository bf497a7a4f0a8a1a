import type { Ctx } from '../../../context.ts'
import type { AttemptConnection } from './attempts.store.ts'
import { bindingOf } from './connection-config.service.ts'
import type { NamedClient } from '../../../protocols/oidc/known-providers.ts'
import { authOf, type OidcConfig } from './oidc.ts'

/** The redirect address for an OpenID Connect provider. */
export const callbackOf = ({ parts }: Pick<Ctx, 'parts'>, id: string): string =>
  `${parts.config.publicUrl}/sso/oidc/${id}/callback`

/** An OpenID Connect connection in its present version. */
export interface NamedConnection extends NamedClient {
  config: OidcConfig
}

/** An OpenID Connect connection, with its secret. */
export const providerOf = (
  { parts }: Ctx,
  { id, updated_at: changedAt, config: stored, sealed }: AttemptConnection,
): NamedConnection => {
  const config = stored as OidcConfig
  const authentication = authOf(config, parts.secrets.open(sealed, bindingOf(id)))
  return { id, changedAt, config, client: config, authentication }
}
