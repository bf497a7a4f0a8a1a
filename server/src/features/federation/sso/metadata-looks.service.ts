import { inTransaction, type Ctx } from '../../../context.ts'
import { isSaml, nextLookAfter } from './connection-config.service.ts'
import * as store from './connections.store.ts'
import { forEachDue } from './due.ts'
import { notifyManagers } from './managers.service.ts'
import { readAddress } from './metadata-address.ts'
import { isSameProvider, samlConfigOf, type SamlConfig } from './saml-connection.ts'

/** Connections of one round. */
const roundMax = 1000

/** Reads the metadata of all connections with an address, each once a day. Several processes may do so at once. */
export const lookAtMetadata = async (ctx: Ctx): Promise<void> => {
  const { store: database, now } = ctx.parts
  const due = await database.transaction(
    {},
    (db) => store.selectLooks(db, now(), roundMax),
    'tenantry_search',
  )
  await forEachDue(ctx, due, lookAt)
}

/** The provider as its address describes it; undefined where it is silent, or speaks of another one. */
const read = async ({ parts: { provider } }: Ctx, config: SamlConfig): Promise<SamlConfig | undefined> => {
  try {
    const metadata = await readAddress(provider, config.metadata_url)
    const found = samlConfigOf({ ...config, metadata }, provider.hasAllowedScheme)
    return found.entity_id === config.entity_id ? found : undefined
  } catch {
    return undefined
  }
}

/** The metadata that wait for the next write after a look; null for none. */
const waiting = (
  found: SamlConfig | undefined,
  { config, told }: { config: SamlConfig; told: string | null },
): string | null => {
  if (!found) return told
  if (isSameProvider(found, config)) return null
  const isTold =
    told !== null &&
    isSameProvider(
      found,
      samlConfigOf({ ...config, metadata: told }, () => true),
    )
  return isTold ? told : found.metadata
}

/** Keeps other metadata for the next write, and tells managers of them once. */
const lookAt = async (ctx: Ctx, id: string): Promise<void> => {
  const row = await store.selectConnection(ctx.db, ctx.tenantId, id)
  if (!row?.look_at || !isSaml(row.config)) return
  const { config, look_at: dueAt, found_metadata: told, name } = row
  const found = waiting(await read(ctx, config), { config, told })
  await inTransaction(ctx, async (ctx) => {
    const look = { id, dueAt, nextAt: nextLookAfter(ctx.parts.now()), found }
    const isFirst = (await store.updateLooked(ctx.db, ctx.tenantId, look)) > 0
    if (isFirst && found !== null && found !== told) {
      await notifyManagers(ctx, 'metadataFound', { connection: name })
    }
  })
}
