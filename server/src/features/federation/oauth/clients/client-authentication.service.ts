/** Client authentication (RFC 6749, 2.3) at `/token`, `/introspect`, `/revoke` and `/device_authorization`. */
import type { Actor } from '../../../../access/actor.ts'
import type { Caller } from '../../../../access/credential.ts'
import type { Invalidation } from '../../../../cache/cache.ts'
import { createRemembered } from '../../../../cache/remembered.ts'
import type { Ctx, Parts } from '../../../../context.ts'
import { readKeyText } from '../../../../crypto/access-keys.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { findClient, isOriginAllowed, isSecretOf, type Client } from '../../applications/clients.service.ts'
import type { ClientCredentials } from './client-credentials.schemas.ts'

export type ProvedClient =
  | { kind: 'application'; client: Client }
  /** A service account, authenticated by one of its keys. */
  | { kind: 'service_account'; clientId: string; actor: Actor }

/** Functions of `http/` and `auth/`, which `memories.ts` passes. */
interface GateDependencies {
  /** Reads the present permissions of a caller at an IP address. */
  resolve: (caller: Caller, ip: string) => Promise<Actor | undefined>
  /** Counts a request of an IP address. */
  countSource: (ip: string) => Promise<void>
  /** Counts a request of an authenticated client. */
  countClient: (name: string) => Promise<void>
}

export interface ClientGate extends GateDependencies {
  /** The client of a request. Throws 400 for malformed credentials, and 401 `invalid_client` for wrong ones. */
  authenticate: (
    ctx: Ctx,
    authorization: string | undefined,
    input: ClientCredentials,
  ) => Promise<ProvedClient>
  /** Whether CORS allows an origin at the endpoints for browsers. */
  allowsOrigin: (origin: string) => Promise<boolean>
  /** True if no administrator created the client. CORS then allows every origin. */
  isSelfRegistered: (ctx: Ctx, clientId: string) => Promise<boolean>
  /** Drops the caches after a change of the catalogue. */
  forget: (change: Invalidation | undefined) => void
}

interface SentCredentials {
  clientId: string
  /** The secret; undefined for a public client. */
  secret: string | undefined
}

const invalidRequest = (message: string) => new OAuthError('invalid_request', message)

/** Decodes the form encoding of id and secret (RFC 6749, 2.3.1). Throws for a NUL, which PostgreSQL cannot store. */
const decoded = (part: string): string => {
  const text = decodeURIComponent(part.replaceAll('+', ' '))
  if (text.includes('\0')) throw new URIError('NUL')
  return text
}

const readBasic = (header: string): SentCredentials => {
  const [, encoded] = /^basic +([\w+/-]+={0,2})$/i.exec(header) ?? []
  const text = Buffer.from(encoded ?? '', 'base64').toString()
  const colon = text.indexOf(':')
  const isSound = colon > 0 && !/\0|%00/.test(text)
  try {
    if (isSound) return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) }
  } catch {
    // The text has a malformed percent encoding, or a NUL.
  }
  throw invalidRequest('The header Authorization must be Basic, with the encoded client_id and client_secret')
}

const readCredentials = (authorization: string | undefined, input: ClientCredentials): SentCredentials => {
  const { client_id: clientId, client_secret: secret } = input
  if (authorization !== undefined) {
    const basic = readBasic(authorization)
    if (secret !== undefined) throw invalidRequest('The client must authenticate in one way only')
    if (clientId !== undefined && clientId !== basic.clientId) {
      throw invalidRequest('client_id is another one than in the header Authorization')
    }
    return basic
  }
  if (clientId === undefined) throw invalidRequest('client_id is missing')
  return { clientId, secret }
}

/**
 * Whether the client is enabled and authenticated. A web application needs a secret; a public client needs only its id.
 */
const isProved = (client: Client, secret: string | undefined): boolean => {
  if (client.status !== 1) return false
  return client.kind === 'web' ? secret !== undefined && isSecretOf(client, secret) : secret === undefined
}

const serviceAccountStart = 'sa_'

/** The client id of a service account. */
export const clientIdOf = (accountId: number): string => `${serviceAccountStart}${accountId}`

const isConcerned = (_: object, { kind }: { kind: string }): boolean => kind === 'catalogue'

const createClientCache = () => {
  const remembered = createRemembered<Client>({ isConcerned })
  const read = (ctx: Ctx, clientId: string) => remembered.read(clientId, () => findClient(ctx, clientId))
  return {
    forget: remembered.forget,
    find: async (ctx: Ctx, clientId: string): Promise<Client | undefined> =>
      remembered.get(clientId) ?? read(ctx, clientId),
    /** Reads once for a wrong secret, as for an unknown client, so that both take equally long. */
    async prove(ctx: Ctx, { clientId, secret }: SentCredentials): Promise<Client | undefined> {
      const cached = remembered.get(clientId)
      if (cached && isProved(cached, secret)) return cached
      const found = await read(ctx, clientId)
      return found && isProved(found, secret) ? found : undefined
    },
  }
}

const createOriginCache = (parts: Parts) => {
  const remembered = createRemembered<{ isAllowed: boolean }>({ isConcerned })
  const read = async (origin: string) => ({
    isAllowed: await isOriginAllowed({ db: parts.store.scoped({}) }, origin),
  })
  return {
    forget: remembered.forget,
    allows: async (origin: string): Promise<boolean> => {
      const found = remembered.get(origin) ?? (await remembered.read(origin, () => read(origin)))
      return found?.isAllowed ?? false
    },
  }
}

const proveServiceAccount = async (
  resolve: GateDependencies['resolve'],
  { origin }: Ctx,
  { clientId, secret = '' }: SentCredentials,
): Promise<Actor | undefined> => {
  const key = readKeyText(secret)
  if (!key || clientIdOf(key.accountId) !== clientId) return undefined
  const { tenantId, accountId: userId, hash: id } = key
  return resolve({ tenantId, userId, credential: { kind: 'key', id } }, origin.ip)
}

const wrongClient = () =>
  new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong', 401)

export const createClientGate = (parts: Parts, dependencies: GateDependencies): ClientGate => {
  const [clients, origins] = [createClientCache(), createOriginCache(parts)]

  const prove = async (ctx: Ctx, credentials: SentCredentials): Promise<ProvedClient | undefined> => {
    if (credentials.clientId.startsWith(serviceAccountStart)) {
      const actor = await proveServiceAccount(dependencies.resolve, ctx, credentials)
      return actor && { kind: 'service_account', clientId: credentials.clientId, actor }
    }
    const client = await clients.prove(ctx, credentials)
    return client && { kind: 'application', client }
  }

  return {
    ...dependencies,
    async authenticate(ctx, authorization, input) {
      const credentials = readCredentials(authorization, input)
      const proved = await prove(ctx, credentials)
      if (proved && credentials.secret !== undefined) await dependencies.countClient(credentials.clientId)
      else await dependencies.countSource(ctx.origin.ip)
      if (!proved) throw wrongClient()
      return proved
    },
    allowsOrigin: origins.allows,
    isSelfRegistered: async (ctx, clientId) =>
      ((await clients.find(ctx, clientId))?.origin ?? 'managed') !== 'managed',
    forget: (change) => {
      clients.forget(change)
      origins.forget(change)
    },
  }
}
