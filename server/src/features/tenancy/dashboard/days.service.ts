import { builtInTenant } from '../../../access/permissions.ts'
import type { Parts } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import * as store from './dashboard.store.ts'

/** The longest chart of the dashboard, in days. Older days get no row. */
const daysMax = 90

type DayParts = Pick<Parts, 'store' | 'now'>

/** The wait after midnight, for open transactions to end and for clocks that run ahead. */
const settledMs = 10 * 60_000

/**
 * Writes missing rows of past days for every tenant, also for days on which the service did not run. Interruption,
 * repetition and several processes do no harm: the first row of a day stays.
 */
export const writeDays = async (parts: DayParts): Promise<void> => {
  const settled = { ...parts, now: () => new Date(parts.now().getTime() - settledMs) }
  const find = (db: Db) => store.selectTenantsWithoutYesterday(db, settled.now())
  const tenants = await parts.store.transaction({}, find, 'tenantry_search')
  const failures: unknown[] = []
  for (const { id } of tenants) {
    await writeDaysOf(settled, id).catch((err: unknown) => failures.push(err))
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `the days of ${failures.length} tenants could not be written`)
  }
}

export const writeDaysOf = async (parts: DayParts, tenantId: string): Promise<void> => {
  const db = parts.store.scoped({ tenantId })
  for (const { day } of await store.selectMissingDays(db, tenantId, daysMax, parts.now())) {
    await writeDay(parts, tenantId, day)
  }
}

/** Writes the row of one day (YYYY-MM-DD). Returns the number of rows. */
export const writeDay = async (parts: DayParts, tenantId: string, day: string): Promise<number> => {
  const db = parts.store.scoped({ tenantId })
  const tenants = tenantId === builtInTenant.id ? await store.countTenantsOn(db, day) : undefined
  return store.insertDay(db, { tenantId, day, tenants: tenants?.count ?? 1 })
}
