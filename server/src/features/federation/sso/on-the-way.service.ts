import type { Ctx } from '../../../context.ts'
import type { ConnectionOnTheWay } from './attempts.store.ts'
import { bindingOf } from './connection-config.service.ts'
import type { OidcConfig } from './oidc.ts'
import type { NamedConnection } from './providers.service.ts'

/** The address that a provider of OpenID Connect sends browsers back to. */
export const callbackOf = ({ parts }: Pick<Ctx, 'parts'>, id: string): string =>
  `${parts.config.publicUrl}/sso/oidc/${id}/callback`

/** A connection of OpenID Connect, with its secret. */
export const providerOf = (
  { parts }: Ctx,
  { id, updated_at: changedAt, config, sealed }: ConnectionOnTheWay,
): NamedConnection => ({
  id,
  changedAt,
  config: config as OidcConfig,
  secret: parts.secrets.open(sealed, bindingOf(id)),
})
