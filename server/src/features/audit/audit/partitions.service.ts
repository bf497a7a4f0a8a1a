import type { Parts } from '../../../context.ts'
import { addPartitions, needsPartition } from '../../../db/audit-partitions.ts'
import { sqlState } from '../../../db/errors.ts'
import { asOwner, inRole } from '../../../db/open.ts'
import { selectIsPartitioned } from './chain.store.ts'

/** The login role does not own the schema. */
const mayNot = (err: unknown): boolean => sqlState(err) === '42501'

/**
 * Creates the next partitions of a partitioned audit log before they are needed. Without them all new records fall into
 * the last partition.
 */
export const keepPartitions = async ({
  store,
  config,
  log,
}: Pick<Parts, 'store' | 'config' | 'log'>): Promise<void> => {
  if (config.databaseUrl === undefined || !(await selectIsPartitioned(store.scoped({})))) return
  try {
    await asOwner(config, async (client) => {
      if (await inRole(client, 'tenantry_app', () => needsPartition(client))) await addPartitions(client)
    })
  } catch (err) {
    if (!mayNot(err)) throw err
    log.warn(
      'the audit log needs its next partition: run tenantry audit partition as the owner of the schema',
    )
  }
}
