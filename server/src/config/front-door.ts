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

/** The client that is the console: the front door is always open to it. */
export const consoleClientId = 'console'

/** Whether people may sign in to a client. */
export const isDoorOpenTo = (config: Pick<Config, 'publicUrl' | 'issuer'>, clientId: string): boolean =>
  clientId === consoleClientId || frontDoorFault(config) === undefined

/** The addresses that our own pages ask, also for the console. */
const ofOwnPages =
  /^\/oauth2\/(?:interactions|links|resume|verify-email|way-back|look|logout\/(?:question|confirm))(?:[/?]|$)/

const isAuthorizationOfConsole = (url: string): boolean => {
  const [path, query] = url.split('?')
  const clients = new URLSearchParams(query).getAll('client_id')
  return path === '/oauth2/authorize' && clients.length === 1 && clients[0] === consoleClientId
}

/** Whether the front door decides about an address. */
export const isBehindFrontDoor = (url: string): boolean =>
  /^\/(?:oauth2|ofrep|scim|sso|mcp)(?:[/?]|$)/.test(url) &&
  !ofOwnPages.test(url) &&
  !isAuthorizationOfConsole(url)

export const oauthUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, name: string): string =>
  `${publicUrl}/oauth2/${name}`

/** The identifier of the resource for assistants, which is the `aud` of their tokens. */
export const mcpUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/mcp`

/** The `aud` of tokens that only read the person's claims. */
export const userinfoUrl = (config: Pick<Config, 'publicUrl'>): string => oauthUrl(config, 'userinfo')
