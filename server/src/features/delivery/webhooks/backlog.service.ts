/** The records that webhooks of all tenants wait for, and their old deliveries. */
import type { Parts } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { sweep } from '../../../db/sweep.ts'
import * as deliveries from './deliveries.store.ts'

/** The age of the oldest seal that a webhook waits for, in any tenant; 0 when none waits. */
export const oldestEventSeconds = async ({
  store: database,
  now,
}: Pick<Parts, 'store' | 'now'>): Promise<number> => {
  const found = await database.transaction({}, deliveries.selectOldestWaiting, 'tenantry_search')
  return found?.oldest ? Math.max(0, (now().getTime() - found.oldest.getTime()) / 1000) : 0
}

/** A backlog is counted over so many seals: a scrape has two seconds. */
const countedSealsMax = 10_000

/** Counts the records that webhooks of all tenants wait for, by whole seals. */
export const countBacklog = async ({ store: database }: Pick<Parts, 'store'>): Promise<number> => {
  const count = (db: Db) => deliveries.countWaiting(db, countedSealsMax)
  return (await database.transaction({}, count, 'tenantry_search'))?.count ?? 0
}

/** Deletes deliveries of all tenants that are older than 30 days. */
export const sweepDeliveries = ({ store: database }: Pick<Parts, 'store'>): Promise<void> =>
  sweep(database, deliveries.oldDeliveries)
