import type { Ctx } from '../../../context.ts'
import type { AttemptConnection } from './attempts.store.ts'
import { bindingOf } from './connection-config.service.ts'
import type { OidcConfig } from './oidc.ts'
import type { NamedConnection } from './providers.service.ts'

/** The redirect address for an OpenID Connect provider. */
export const callbackOf = ({ parts }: Pick<Ctx, 'parts'>, id: string): string =>
  `${parts.config.publicUrl}/sso/oidc/${id}/callback`

/** An OpenID Connect connection, with its secret. */
export const providerOf = (
  { parts }: Ctx,
  { id, updated_at: changedAt, config, sealed }: AttemptConnection,
): NamedConnection => ({
  id,
  changedAt,
  config: config as OidcConfig,
  secret: parts.secrets.open(sealed, bindingOf(id)),
})
