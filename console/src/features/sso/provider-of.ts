import type { Connection } from '@tenantry/client'
import type { Provider } from './presets.ts'

const marks: [RegExp, Provider][] = [
  [/^https:\/\/(?:login\.microsoftonline\.(?:com|us)|sts\.windows\.net)\//, 'entra'],
  [/\.okta(?:preview|-emea)?\.com(?:\/|$)|^http:\/\/www\.okta\.com\//, 'okta'],
  [/^https:\/\/accounts\.google\.com(?:\/|$)/, 'google'],
  [/\/realms\/[^/]+$/, 'keycloak'],
]

/** The probable provider of a connection. It only decides hints. */
export const providerOf = ({ issuer, entity_id: entity = '' }: Connection): Provider =>
  marks.find(([mark]) => mark.test(issuer ?? entity))?.[1] ?? 'other'
