/** The audit records that wait for webhooks of all tenants, and old deliveries. */
import type { Parts } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { sweep } from '../../../db/sweep.ts'
import * as deliveries from './deliveries.store.ts'

/** The age in seconds of the oldest seal that waits for a webhook of any tenant; 0 when none waits. */
export const oldestEventSeconds = async ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<number> => {
  const found = await database.transaction({}, deliveries.selectOldestWaiting, 'tenantry_search')
  return found?.oldest ? Math.max(0, (now().getTime() - found.oldest.getTime()) / 1000) : 0
}

/** The most seals that a count includes, because a scrape has two seconds. */
const countedSealsMax = 10_000

/** Counts the records of the seals that wait for webhooks of all tenants. */
export const countBacklog = async ({ store: database }: Pick<Parts, 'store'>): Promise<number> => {
  const count = (db: Db) => deliveries.countWaiting(db, countedSealsMax)
  return (await database.transaction({}, count, 'tenantry_search'))?.count ?? 0
}

/** Deletes deliveries of all tenants that are older than 30 days. */
export const sweepDeliveries = ({ store: database }: Pick<Parts, 'store'>): Promise<void> =>
  sweep(database, deliveries.oldDeliveries)
