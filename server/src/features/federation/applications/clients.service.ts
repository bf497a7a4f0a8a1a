/** Applications as OAuth clients, for the endpoints of `/oauth2`. */
import { timingSafeEqual } from 'node:crypto'
import type { CallerlessCtx } from '../../../context.ts'
import { readSecretText } from '../../../crypto/access-keys.ts'
import { OAuthError } from '../../../errors/oauth-error.ts'
import { assistantScopes } from '../../../access/assistant-scopes.ts'
import { foldIdentifier } from './addresses.ts'
import { isServedDocument } from './client-documents.ts'
import { consoleClient } from './console-client.ts'
import * as store from './clients.store.ts'

export { consoleClient }
export type { Client, NamedResource } from './clients.store.ts'

/** Hides a client whose id is a document's address, unless the configuration allows its host. */
const onlyServed = (
  { parts: { config } }: CallerlessCtx,
  client: store.Client | undefined,
): store.Client | undefined =>
  client?.origin === 'document' && !isServedDocument(config, client.client_id) ? undefined : client

/**
 * The client with a client id, also if disabled. Undefined for an unknown id. A transaction that opens a session must
 * first lock the catalogue against change. The session then opens before a change that ends it, or not at all.
 */
export const findClient = async (ctx: CallerlessCtx, clientId: string): Promise<store.Client | undefined> =>
  clientId === consoleClient.client_id
    ? consoleClient
    : onlyServed(ctx, await store.selectClient(ctx.db, clientId, ctx.parts.now()))

export const findClientById = async (ctx: CallerlessCtx, id: number): Promise<store.Client | undefined> =>
  id === consoleClient.id
    ? consoleClient
    : onlyServed(ctx, await store.selectClientById(ctx.db, id, ctx.parts.now()))

/** The application id of a client in rows; null for the console. */
export const rowIdOf = (id: number): number | null => (id === consoleClient.id ? null : id)

/** The names of applications, for audit records. */
export const listClientNames = async ({ db }: Pick<CallerlessCtx, 'db'>, ids: number[]): Promise<string[]> =>
  (await store.selectClientNames(db, ids)).map(({ name }) => name)

export const isSecretOf = (
  { secret_hashes: hashes }: Pick<store.Client, 'secret_hashes'>,
  text: string,
): boolean => {
  const hash = readSecretText(text)
  return hash !== undefined && hashes.some((one) => timingSafeEqual(Buffer.from(one), Buffer.from(hash)))
}

/** Whether an origin belongs to an enabled browser application. */
export const isOriginAllowed = async ({ db }: Pick<CallerlessCtx, 'db'>, origin: string): Promise<boolean> =>
  (await store.selectOriginAllowed(db, origin)).is_allowed

/** Whether two texts identify the same resource. */
export const isSameResource = (one: string, other: string): boolean => {
  const folded = foldIdentifier(one)
  return folded !== undefined && folded === foldIdentifier(other)
}

/** The resource of an identifier, for any client. */
export const findResource = async (
  { db }: CallerlessCtx,
  identifier: string,
): Promise<store.NamedResource | undefined> => {
  const folded = foldIdentifier(identifier)
  const found = folded === undefined ? undefined : await store.selectNamedResource(db, folded)
  return found?.is_built_in ? { ...found, codes: [...assistantScopes] } : found
}

/** The codes that a request may name as scopes. Built-in permissions are scopes of the built-in resource alone. */
export const codesFor = (
  productCodes: string[],
  resource: store.NamedResource | undefined,
): ReadonlySet<string> => new Set(resource?.is_built_in ? [...productCodes, ...resource.codes] : productCodes)

type NamingClient = Pick<store.Client, 'origin' | 'resource_ids'>

export const mayNameResource = (
  { origin, resource_ids: ids }: NamingClient,
  { id, allow_unregistered: isOpen }: store.NamedResource,
): boolean => (origin === 'managed' ? ids.includes(id) : isOpen)

/** The resource that a client requests. Undefined if the resource does not exist, or the client may not request it. */
export const findResourceFor = async (
  ctx: CallerlessCtx,
  client: NamingClient,
  identifier: string,
): Promise<store.NamedResource | undefined> => {
  const resource = await findResource(ctx, identifier)
  return resource && mayNameResource(client, resource) ? resource : undefined
}

/** Does the same, and throws `invalid_target` instead. */
export const getResourceFor = async (
  ctx: CallerlessCtx,
  client: NamingClient,
  identifier: string,
): Promise<store.NamedResource> => {
  const resource = await findResourceFor(ctx, client, identifier)
  if (!resource) throw new OAuthError('invalid_target', 'The client may not name this resource')
  return resource
}
