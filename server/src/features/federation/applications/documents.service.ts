/**
 * Fetches the metadata of clients whose id is a document's address. Only requests of signed-in people cause a fetch.
 */
import type { Limit } from '../../../cache/cache.ts'
import type { CallerlessCtx } from '../../../context.ts'
import { OAuthError } from '../../../errors/oauth-error.ts'
import { isReturnAddress } from './addresses.ts'
import {
  documentSeconds,
  isKnown,
  isServedDocument,
  readDocument,
  unknownClient,
} from './client-documents.ts'
import { findClient, findResource, type Client } from './clients.service.ts'
import { storeDocumentClient } from './unregistered.service.ts'

export { isKnown }

/** Whether a client that no administrator has created may have a redirect address. */
export const isAllowedRedirect = (address: string): boolean => isReturnAddress('native', address)

/** The most fetches per account (docs/contract.md, "Clients that register themselves"). */
const fetches: Limit = { name: 'client-documents', points: 10, windowSeconds: 60 }

const isFresh = ({ document_until: until }: Client, now: Date): boolean => until !== null && until > now

/** Fetches a document and stores its client. Throws if it is unavailable or invalid. */
const fetchClient = async (ctx: CallerlessCtx, clientId: string): Promise<void> => {
  const { parts } = ctx
  if (await findResource(ctx, clientId)) throw new OAuthError('invalid_client', 'A resource has this name')
  const { document, cacheControl } = await parts.get(clientId)
  const metadata = readDocument(clientId, document)
  const documentUntil = new Date(parts.now().getTime() + documentSeconds(cacheControl) * 1000)
  await storeDocumentClient(ctx, { ...metadata, clientId, origin: 'document', documentUntil })
}

const mayFetch = async ({ parts }: CallerlessCtx, accountId: number): Promise<boolean> =>
  !parts.config.rateLimit || (await parts.cache.consume(fetches, String(accountId))).allowed

/**
 * The client as its present document describes it. Undefined if the document is unavailable or invalid. Other clients
 * are returned unchanged.
 */
export const readClient = async (
  ctx: CallerlessCtx,
  client: Client,
  accountId: number,
): Promise<Client | undefined> => {
  if (client.origin !== 'document' || isFresh(client, ctx.parts.now())) return client
  const { client_id: clientId } = client
  try {
    if (!(await mayFetch(ctx, accountId))) return undefined
    await fetchClient(ctx, clientId)
  } catch (err) {
    ctx.parts.log.info(
      { err, client_id: clientId.split('?')[0] },
      'the metadata of a client could not be read',
    )
    return undefined
  }
  return findClient(ctx, clientId)
}

/**
 * The client that a request names. Without a signed-in person, a client with a document stays unknown, even if the
 * document is cached.
 */
export const findNamedClient = async (ctx: CallerlessCtx, clientId: string): Promise<Client | undefined> =>
  isServedDocument(ctx.parts.config, clientId) ? unknownClient(clientId) : findClient(ctx, clientId)

/**
 * The client for a signed-in person, as its present document describes it. The unknown client if the document cannot be
 * read.
 */
export const resolveClient = async (
  ctx: CallerlessCtx,
  named: Client,
  accountId: number,
): Promise<Client> => {
  if (isKnown(named)) return named
  const kept = (await findClient(ctx, named.client_id)) ?? named
  return (await readClient(ctx, kept, accountId)) ?? named
}
