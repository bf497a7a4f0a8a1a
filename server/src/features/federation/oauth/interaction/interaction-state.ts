import type { Client, NamedResource } from '../../applications/clients.service.ts'
import type { Progress } from './interaction-progress.ts'
import { isPermissionScope, type AuthorizationRequest } from '../request/authorization-request.ts'
import type { SignIn } from '../browser/sign-ins.service.ts'

/** All that decides about the next step of an authorization. */
export interface Situation {
  request: AuthorizationRequest
  client: Client
  /** Undefined without one, and where the client may name that of the request no longer. */
  resource: NamedResource | undefined
  progress: Progress
  /** That of the interaction as it was read; 0 before there is one. */
  version: number
  signIn: SignIn | undefined
  /** The beginning of the authorization. */
  begunAt: Date
  /** The cookie that names the browser of an interaction. */
  browser?: string
}

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** The console answers at a path of this installation. */
const isOwnPage = (redirectUri: string): boolean => redirectUri.startsWith('/')

/** Whether any program of the machine could take the answer: a public client at loopback or a private scheme. */
export const isImitable = ({ client, request: { redirectUri } }: Situation): boolean => {
  if (client.kind === 'web' || redirectUri === '' || isOwnPage(redirectUri)) return false
  const { protocol, hostname } = new URL(redirectUri)
  return !/^https?:$/.test(protocol) || loopbackHosts.has(hostname)
}

/** The host that the answer goes to; the scheme of a private one, the path of the console, "" for a device. */
export const redirectHostOf = (redirectUri: string): string => {
  if (redirectUri === '' || isOwnPage(redirectUri)) return redirectUri
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** The scopes that are given, and the permissions that the session may use: undefined for all that the user holds. */
export interface GrantedAccess {
  scopes: string[]
  narrowedTo: string[] | undefined
}

/** A client that no administrator has made reads nothing about the person. */
const offlineOf = ({ grant_types: types }: Client, scopes: string[]): string[] =>
  types.includes('refresh_token') ? scopes.filter((scope) => scope === 'offline_access') : []

/** The table of docs/sign-in.md, "Scopes and resource". Scopes never give anything: they narrow. */
export const accessGrantedBy = ({ request, client, resource }: Situation): GrantedAccess => {
  const basic = request.scopes.filter((scope) => !isPermissionScope(scope))
  const asked = request.scopes.filter(isPermissionScope)
  const within = resource ? asked.filter((code) => resource.codes.includes(code)) : asked
  if (client.is_third_party) {
    const codes = resource ? within : []
    const allowed = client.origin === 'managed' ? basic : offlineOf(client, basic)
    return { scopes: [...allowed, ...codes], narrowedTo: codes }
  }
  if (!resource) return { scopes: [...basic, ...asked], narrowedTo: asked.length > 0 ? asked : undefined }
  const codes = asked.length > 0 ? within : resource.codes
  return { scopes: [...basic, ...codes], narrowedTo: codes }
}
