/** Clients that no administrator has created: they registered themselves, or their id is a document's address. */
import { nobody } from '../../../access/actor.ts'
import { lockOutAuthority } from '../../../access/tenancy.store.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import {
  inTenant,
  inTransaction,
  type CallerlessCtx,
  type Ctx,
  type Parts,
  type TransactionCtx,
} from '../../../context.ts'
import { createClientId } from '../../../crypto/access-keys.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { OAuthError } from '../../../errors/oauth-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import {
  endSessionsBeyondTenants,
  endUnregisteredSessions,
  hasSessions,
} from '../../accounts/sessions/application-ends.service.ts'
import { deleteApplicationRow } from './applications.store.ts'
import { readMetadata, type ClientMetadata } from './client-metadata.ts'
import { selectClient, type Client } from './clients.store.ts'
import * as store from './unregistered.store.ts'

export { readMetadata }

/** docs/contract.md, "Clients that register themselves". */
const clientsMax = 10_000
const idleMs = 30 * 24 * 3600_000

const full = () => new OAuthError('temporarily_unavailable', 'There is no room for another client', 503, 3600)

/**
 * Stores a client. If there are too many, deletes the oldest client that never had a session. Under the catalogue's
 * lock no session can open meanwhile.
 */
const storeClient = async (db: TransactionDb, client: store.NewClient, now: Date): Promise<number> => {
  store.lockRegistration(db)
  const { count } = await store.countUnregistered(db)
  if (count >= clientsMax) {
    lockOutAuthority(db)
    if ((await store.deleteOldestUnusedRow(db)) === 0) throw full()
  }
  return (await store.upsertClient(db, client, now)).id
}

const fieldsOf = ({ name, redirectUris, grantTypes }: ClientMetadata) => ({
  name,
  redirect_uris: redirectUris,
  grant_types: grantTypes,
})

const recordRegistered = (
  ctx: TransactionCtx,
  id: number,
  { clientId, ...metadata }: store.NewClient,
): void =>
  record(ctx, {
    action: 'application.register',
    resourceId: id,
    detail: {
      ...naming({ name: metadata.name }),
      ...changesBetween({}, { client_id: clientId, ...fieldsOf(metadata) }),
    },
  })

/** Stores a client that registers itself, and returns its new client id. */
export const registerMetadata = (ctx: Ctx, metadata: ClientMetadata): Promise<string> =>
  inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    const clientId = createClientId()
    const client = { ...metadata, clientId, origin: 'registered' as const, documentUntil: undefined }
    recordRegistered(ctx, await storeClient(ctx.db, client, ctx.parts.now()), client)
    return clientId
  })

/** Stores the client of a fetched document. A new client, or a changed one, leaves an audit record. */
export const storeDocumentClient = (ctx: CallerlessCtx, client: store.NewClient): Promise<void> =>
  inTransaction(inTenant({ ...ctx, actor: nobody }, builtInTenant.id), async (ctx) => {
    const now = ctx.parts.now()
    store.lockRegistration(ctx.db)
    const before = await selectClient(ctx.db, client.clientId, now)
    const id = await storeClient(ctx.db, client, now)
    if (!before) return recordRegistered(ctx, id, client)
    const { name, redirect_uris, grant_types } = before
    const changes = changesBetween({ name, redirect_uris, grant_types }, fieldsOf(client))
    if (Object.keys(changes).length === 0) return
    record(ctx, {
      action: 'application.update',
      resourceId: id,
      detail: { ...naming({ name }), ...changes },
    })
  })

/** Stores the time at which a session of the client opens. */
export const noteSession = ({ db, parts }: TransactionCtx, { id, origin }: Client): void => {
  if (origin !== 'managed') store.updateLastSession(db, id, parts.now())
}

/** Whether users of the tenant in scope may authorize a client. */
export const mayBeAuthorized = async (
  { db, tenantId }: Pick<Ctx, 'db' | 'tenantId'>,
  { origin }: Pick<Client, 'origin'>,
): Promise<boolean> => origin === 'managed' || (await store.selectAllowed(db, tenantId)).is_allowed

/**
 * Ends the sessions that a tenant's changed setting no longer allows. The transaction must hold the lock of the
 * catalogue.
 */
export const endDisallowedSessions = async (ctx: TransactionCtx): Promise<void> => {
  if (await mayBeAuthorized(ctx, { origin: 'registered' })) return
  endUnregisteredSessions(ctx)
  ctx.changes.push({ kind: 'tenant', tenantId: ctx.tenantId })
}

/**
 * Ends the sessions that the installation's changed setting no longer allows. Tenants that have their own setting are
 * unaffected.
 */
export const endDisallowedSessionsEverywhere = async (ctx: TransactionCtx): Promise<void> => {
  if ((await store.selectAllowedEverywhere(ctx.db))?.value === true) return
  const [allowing, used] = [await store.selectAllowingTenants(ctx.db), await store.selectUsed(ctx.db)]
  for (const { id } of used) endSessionsBeyondTenants(ctx, id, allowing)
  ctx.changes.push({ kind: 'catalogue' })
}

const batch = 100

/** Deletes clients that opened no session for 30 days. Keeps clients whose sessions still exist. */
export const sweepClients = async ({ store: database, now }: Pick<Parts, 'store' | 'now'>): Promise<void> => {
  const before = new Date(now().getTime() - idleMs)
  let idle: { id: number }[]
  do {
    idle = await store.selectIdle(database.scoped({}), before, batch)
    for (const { id } of idle) {
      await database.transaction({}, async (db) => {
        lockOutAuthority(db)
        if (await hasSessions({ db }, id)) store.updateLastSession(db, id, now())
        else deleteApplicationRow(db, id)
      })
    }
  } while (idle.length === batch)
}
