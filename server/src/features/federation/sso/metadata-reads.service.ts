import { inTransaction, type Ctx } from '../../../context.ts'
import { isSaml, nextLookAfter } from './connection-config.service.ts'
import * as store from './connections.store.ts'
import { forEachDue } from './due.service.ts'
import { notifyOfConnection } from './managers.service.ts'
import { readAddress } from './metadata-address.ts'
import { isSameProvider, samlConfigOf, type SamlConfig } from './saml-connection.ts'

/** The most connections per round. */
const roundMax = 1000

/** Reads the metadata of all connections with an address, each once a day. Several processes can run it at once. */
export const readAllMetadata = async (ctx: Ctx): Promise<void> => {
  const { store: database, now } = ctx.parts
  const due = await database.transaction(
    {},
    (db) => store.selectDueMetadata(db, now(), roundMax),
    'tenantry_search',
  )
  await forEachDue(ctx, due, readMetadataOf)
}

/**
 * The provider that the metadata at its address describe. Undefined if the address does not answer, or describes
 * another entity.
 */
const read = async ({ parts: { provider } }: Ctx, config: SamlConfig): Promise<SamlConfig | undefined> => {
  try {
    const metadata = await readAddress(provider, config.metadata_url)
    const found = samlConfigOf({ ...config, metadata }, provider.hasAllowedScheme)
    return found.entity_id === config.entity_id ? found : undefined
  } catch {
    return undefined
  }
}

/** The metadata that wait for an administrator's next change. Null if there are none. */
const waiting = (
  found: SamlConfig | undefined,
  { config, notified }: { config: SamlConfig; notified: string | null },
): string | null => {
  if (!found) return notified
  if (isSameProvider(found, config)) return null
  const isNotified =
    notified !== null &&
    isSameProvider(
      found,
      samlConfigOf({ ...config, metadata: notified }, () => true),
    )
  return isNotified ? notified : found.metadata
}

/** Stores different metadata for the next change, and notifies managers of these metadata once. */
const readMetadataOf = async (ctx: Ctx, id: string): Promise<void> => {
  const row = await store.selectConnection(ctx.db, ctx.tenantId, id)
  if (!row?.look_at || !isSaml(row.config)) return
  const { config, look_at: dueAt, found_metadata: notified, name } = row
  const found = waiting(await read(ctx, config), { config, notified })
  await inTransaction(ctx, async (ctx) => {
    const outcome = { id, dueAt, nextAt: nextLookAfter(ctx.parts.now()), found }
    const isFirst = (await store.updateMetadataRead(ctx.db, ctx.tenantId, outcome)) > 0
    if (isFirst && found !== null && found !== notified) {
      await notifyOfConnection(ctx, 'metadataFound', { id, name })
    }
  })
}
