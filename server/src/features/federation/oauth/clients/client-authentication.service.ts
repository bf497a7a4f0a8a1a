/** Proves the clients of the token endpoint and its neighbours (RFC 6749, 2.3). */
import type { Actor } from '../../../../access/actor.ts'
import type { Caller } from '../../../../access/credential.ts'
import type { Invalidation } from '../../../../cache/cache.ts'
import { createRemembered } from '../../../../cache/remembered.ts'
import type { Ctx, Parts } from '../../../../context.ts'
import { readKeyText } from '../../../../crypto/access-keys.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { findClient, isOriginAllowed, isSecretOf, type Client } from '../../applications/clients.service.ts'
import type { ClientCredentials } from './client-credentials.schemas.ts'

/** A client whose request may be served. */
export type ProvedClient =
  | { kind: 'application'; client: Client }
  /** A service account, which proves itself by one of its keys. */
  | { kind: 'service_account'; clientId: string; actor: Actor }

/** The parts of `http/` and `auth/` that the gate needs. */
interface Duties {
  /** Reads the present rights of a caller at an address. */
  resolve: (caller: Caller, ip: string) => Promise<Actor | undefined>
  /** Count a request: of an address, and of a client that proved itself. */
  countSource: (ip: string) => Promise<void>
  countClient: (name: string) => Promise<void>
}

export interface ClientGate extends Duties {
  /** The client of a request. Throws 400 for a malformed authentication, 401 `invalid_client` for a wrong one. */
  authenticate: (
    ctx: Ctx,
    authorization: string | undefined,
    input: ClientCredentials,
  ) => Promise<ProvedClient>
  /** Whether pages of an origin may call the endpoints for browsers. */
  allowsOrigin: (origin: string) => Promise<boolean>
  /** Whether no administrator made the client, so that pages of every origin may ask for it. */
  isUnregistered: (ctx: Ctx, clientId: string) => Promise<boolean>
  /** Forgets the clients that a change concerns. */
  forget: (change: Invalidation | undefined) => void
}

interface SentCredentials {
  clientId: string
  /** Undefined for a client that only names itself. */
  secret: string | undefined
}

const invalidRequest = (message: string) => new OAuthError('invalid_request', message)

/** Name and secret are encoded as in a form before they are joined (RFC 6749, 2.3.1). PostgreSQL stores no NUL. */
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
    // Percent signs that encode nothing, or a NUL.
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

/** Whether an enabled client proves itself as its kind asks: a web application by a secret, others by their name alone. */
const isProved = (client: Client, secret: string | undefined): boolean => {
  if (client.status !== 1) return false
  return client.kind === 'web' ? secret !== undefined && isSecretOf(client, secret) : secret === undefined
}

const serviceAccountStart = 'sa_'

/** The name of a service account as a client. */
export const clientIdOf = (accountId: number): string => `${serviceAccountStart}${accountId}`

const isConcerned = (_: object, { kind }: { kind: string }): boolean => kind === 'catalogue'

/** Clients that were read from the database, for a moment. */
const createKnownClients = () => {
  const remembered = createRemembered<Client>({ isConcerned })
  const read = (ctx: Ctx, clientId: string) => remembered.read(clientId, () => findClient(ctx, clientId))
  return {
    forget: remembered.forget,
    find: async (ctx: Ctx, clientId: string): Promise<Client | undefined> =>
      remembered.get(clientId) ?? read(ctx, clientId),
    /** A wrong secret costs one read, as an unknown client does: the time tells nothing. */
    async prove(ctx: Ctx, { clientId, secret }: SentCredentials): Promise<Client | undefined> {
      const known = remembered.get(clientId)
      if (known && isProved(known, secret)) return known
      const found = await read(ctx, clientId)
      return found && isProved(found, secret) ? found : undefined
    },
  }
}

/** The same for origins of pages. */
const createKnownOrigins = (parts: Parts) => {
  const remembered = createRemembered<{ isAllowed: boolean }>({ isConcerned })
  const read = async (origin: string) => ({
    isAllowed: await isOriginAllowed({ db: parts.store.scoped({}) }, origin),
  })
  return {
    forget: remembered.forget,
    allows: async (origin: string): Promise<boolean> => {
      const known = remembered.get(origin) ?? (await remembered.read(origin, () => read(origin)))
      return known?.isAllowed ?? false
    },
  }
}

const proveServiceAccount = async (
  resolve: Duties['resolve'],
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

export const createClientGate = (parts: Parts, duties: Duties): ClientGate => {
  const [clients, origins] = [createKnownClients(), createKnownOrigins(parts)]

  const prove = async (ctx: Ctx, given: SentCredentials): Promise<ProvedClient | undefined> => {
    if (given.clientId.startsWith(serviceAccountStart)) {
      const actor = await proveServiceAccount(duties.resolve, ctx, given)
      return actor && { kind: 'service_account', clientId: given.clientId, actor }
    }
    const client = await clients.prove(ctx, given)
    return client && { kind: 'application', client }
  }

  return {
    ...duties,
    async authenticate(ctx, authorization, input) {
      const given = readCredentials(authorization, input)
      const proved = await prove(ctx, given)
      if (proved && given.secret !== undefined) await duties.countClient(given.clientId)
      else await duties.countSource(ctx.origin.ip)
      if (!proved) throw wrongClient()
      return proved
    },
    allowsOrigin: origins.allows,
    isUnregistered: async (ctx, clientId) =>
      ((await clients.find(ctx, clientId))?.origin ?? 'managed') !== 'managed',
    forget: (change) => {
      clients.forget(change)
      origins.forget(change)
    },
  }
}
