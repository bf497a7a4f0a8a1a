/** The metadata of clients whose name is its address. It is fetched for people who are signed in, and for nobody else. */
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
import { keepClient } from './unregistered.service.ts'

export { isKnown }

/** Whether a client that no administrator has made could have an address. */
export const mayHaveAddress = (address: string): boolean => isReturnAddress('native', address)

/** docs/contract.md, "Clients that register themselves": fetches for an account. */
const fetches: Limit = { name: 'client-documents', points: 10, windowSeconds: 60 }

const isFresh = ({ document_until: until }: Client, now: Date): boolean => until !== null && until > now

/** Fetches the document, and keeps what it says. Throws where it cannot be had, or is none. */
const fetchClient = async (ctx: CallerlessCtx, clientId: string): Promise<void> => {
  const { parts } = ctx
  if (await findResource(ctx, clientId)) throw new OAuthError('invalid_client', 'A resource has this name')
  const { document, cacheControl } = await parts.get(clientId)
  const metadata = readDocument(clientId, document)
  const now = parts.now()
  const documentUntil = new Date(now.getTime() + documentSeconds(cacheControl) * 1000)
  await parts.store.transaction({}, (db) =>
    keepClient(db, { ...metadata, clientId, origin: 'document', documentUntil }, now),
  )
}

const mayFetch = async ({ parts }: CallerlessCtx, accountId: number): Promise<boolean> =>
  !parts.config.rateLimit || (await parts.cache.consume(fetches, String(accountId))).allowed

/**
 * The client as its document says now; undefined where the document cannot be had, or is none. A client of another kind stays
 * as it is.
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

/** The client that a request names. Without a person it is not known by its document, even if that was read before. */
export const findNamedClient = async (ctx: CallerlessCtx, clientId: string): Promise<Client | undefined> =>
  isServedDocument(ctx.parts.config, clientId) ? unknownClient(clientId) : findClient(ctx, clientId)

/** The client for a person who is signed in, by what its document says now; the unknown one where it cannot be read. */
export const knowClient = async (ctx: CallerlessCtx, named: Client, accountId: number): Promise<Client> => {
  if (isKnown(named)) return named
  const kept = (await findClient(ctx, named.client_id)) ?? named
  return (await readClient(ctx, kept, accountId)) ?? named
}
