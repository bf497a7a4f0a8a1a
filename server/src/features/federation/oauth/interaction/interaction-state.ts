import { permissionsOf } from '../../../../access/assistant-scopes.ts'
import type { Client, NamedResource } from '../../applications/clients.service.ts'
import type { InteractionProgress } from './interaction-progress.ts'
import { isPermissionScope, type AuthorizationRequest } from '../request/authorization-request.ts'
import type { SignIn } from '../browser/sign-ins.service.ts'

/** The facts that decide the next step of an interaction. */
export interface InteractionState {
  request: AuthorizationRequest
  client: Client
  /** The requested resource. Undefined if the request names none, or the client may no longer name it. */
  resource: NamedResource | undefined
  progress: InteractionProgress
  /** The version of the interaction's row, for optimistic locking. It is 0 before the row exists. */
  version: number
  signIn: SignIn | undefined
  begunAt: Date
  /** The cookie that binds the interaction to a browser. */
  browser?: string
}

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** The console's redirect address is a path of this installation. */
const isOwnPage = (redirectUri: string): boolean => redirectUri.startsWith('/')

/**
 * Whether another program of the machine could receive the code: the client is public, and its address is at loopback
 * or has a private scheme.
 */
export const isImitable = ({ client, request: { redirectUri } }: InteractionState): boolean => {
  if (client.kind === 'web' || redirectUri === '' || isOwnPage(redirectUri)) return false
  const { protocol, hostname } = new URL(redirectUri)
  return !/^https?:$/.test(protocol) || loopbackHosts.has(hostname)
}

/** The host of a redirect address. For a private address, its scheme; for the console, its path; for a device, "". */
export const redirectHostOf = (redirectUri: string): string => {
  if (redirectUri === '' || isOwnPage(redirectUri)) return redirectUri
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}

export interface GrantedAccess {
  scopes: string[]
  /** The permissions that the session may use; undefined means all permissions of the user. */
  narrowedTo: string[] | undefined
}

/** A client that registered itself gets no scope that reads the person's claims. */
const offlineOf = ({ grant_types: types }: Client, scopes: string[]): string[] =>
  types.includes('refresh_token') ? scopes.filter((scope) => scope === 'offline_access') : []

/** The table of docs/sign-in.md, "Scopes and resource". Scopes only narrow the permissions of the user. */
export const accessGrantedBy = ({ request, client, resource }: InteractionState): GrantedAccess => {
  const basic = request.scopes.filter((scope) => !isPermissionScope(scope))
  const asked = request.scopes.filter(isPermissionScope)
  const within = resource ? asked.filter((code) => resource.codes.includes(code)) : asked
  if (client.is_third_party) {
    const codes = resource ? within : []
    const allowed = client.origin === 'managed' ? basic : offlineOf(client, basic)
    return { scopes: [...allowed, ...codes], narrowedTo: permissionsOf(codes) }
  }
  if (!resource) return { scopes: [...basic, ...asked], narrowedTo: asked.length > 0 ? asked : undefined }
  const codes = asked.length > 0 ? within : resource.codes
  return { scopes: [...basic, ...codes], narrowedTo: codes }
}
