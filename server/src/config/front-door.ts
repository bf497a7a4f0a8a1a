/**
 * The front door: people sign in to applications with this installation (docs/contract.md, "Sign in with Tenantry").
 */
import type { Config } from './config.ts'
import { isLoopback } from './config-values.ts'

/** The reason why the front door is shut. Undefined if it is open. */
export const frontDoorFault = ({
  publicUrl,
  issuer,
}: Pick<Config, 'publicUrl' | 'issuer'>): string | undefined => {
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    return 'TENANTRY_PUBLIC_URL must be https: applications get their tokens there'
  }
  return issuer === publicUrl
    ? undefined
    : 'TENANTRY_ISSUER must equal TENANTRY_PUBLIC_URL: applications find this service by its issuer'
}

/** True for paths that answer 503 while the front door is shut. */
export const isBehindFrontDoor = (url: string): boolean => /^\/(?:oauth2|ofrep|scim|sso)(?:[/?]|$)/.test(url)

export const oauthUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, name: string): string =>
  `${publicUrl}/oauth2/${name}`

/** The `aud` of tokens that only read the person's claims. */
export const userinfoUrl = (config: Pick<Config, 'publicUrl'>): string => oauthUrl(config, 'userinfo')
