/** The sealed records of all tenants, in the order of the numbers that seals have over all tenants. */
import type { Parts } from '../../context.ts'
import type { Feed, FeedRecord, Place } from './feed.service.ts'
import { Breach, readNumberedSeal } from './feed.service.ts'
import * as store from './all-tenants-feed.store.ts'

type FeedParts = Pick<Parts, 'store'>

/** Seals of one read. */
const sealsMax = 20
/** A backlog is counted over so many seals. */
const countedSealsMax = 10_000

/** The highest number below which no seal can come any more. */
export const findHorizon = ({ store: database }: FeedParts): Promise<number> =>
  database.transaction(
    {},
    async (db) => {
      store.lockNumbers(db)
      return (await store.selectHighestNumber(db))?.number ?? 0
    },
    'tenantry_search',
  )

/** The lowest number of a seal that has not expired; 0 without one. */
export const findLowestNumber = async ({ store: database }: FeedParts): Promise<number> =>
  (await database.transaction({}, store.selectLowestNumber, 'tenantry_search'))?.number ?? 0

/** The seals of all tenants from one number to another. */
export async function* listSeals(
  { store: database }: FeedParts,
  first: number,
  last: number,
): AsyncGenerator<store.NumberedSeal> {
  for (let from = first; from <= last;) {
    const range = { first: from, last, limit: sealsMax }
    const seals = await database.transaction(
      {},
      (db) => store.selectNumberedSeals(db, range),
      'tenantry_search',
    )
    yield* seals
    from = seals.length < sealsMax ? last + 1 : (seals.at(-1)?.number ?? last) + 1
  }
}

/** The place behind the last seal of any tenant. */
export const findEndOfAll = async (parts: FeedParts): Promise<Place> => ({
  seal: (await findHorizon(parts)) + 1,
  position: 0,
})

/** Reads up to `limit` records from a place on, like `readFeed`. */
export const readFeedOfAll = async (parts: FeedParts, from: Place, limit: number): Promise<Feed> => {
  const range = { first: from.seal, last: await findHorizon(parts), limit: sealsMax }
  const seals = await parts.store.transaction(
    {},
    (db) => store.selectNumberedSeals(db, range),
    'tenantry_search',
  )
  const records: FeedRecord[] = []
  for (const seal of seals) {
    const index = seal.number === from.seal ? from.position : 0
    const found = await readUnlessRemoved(parts, seal, { index, limit: limit - records.length })
    records.push(...found)
    if (records.length >= limit) break
  }
  return { missed: 0, start: from, records }
}

/** Records of a seal; none when the tenant was removed meanwhile, whose purge breaks the chain. */
const readUnlessRemoved = async (
  { store: database }: FeedParts,
  seal: store.NumberedSeal,
  { index, limit }: { index: number; limit: number },
): Promise<FeedRecord[]> => {
  const { tenantId } = seal
  try {
    return await database.transaction(
      { tenantId },
      (db) => readNumberedSeal(db, seal, index, limit),
      'tenantry_seal',
    )
  } catch (err) {
    if (!(err instanceof Breach)) throw err
    if (await store.selectLiving(database.scoped({}), tenantId)) {
      throw new Breach(`${err.message}, in tenant ${tenantId}`)
    }
    return []
  }
}

/** Counts the records from a place on. */
export const countBacklogOfAll = async (
  { store: database }: FeedParts,
  { seal, position }: Place,
): Promise<number> => {
  const counted = await database.transaction(
    {},
    (db) => store.countNumberedRecords(db, seal, countedSealsMax),
    'tenantry_search',
  )
  return Math.max(0, (counted?.count ?? 0) - position)
}

/** The place of the first seal of a moment or later, or the end. */
export const findPlaceOfAllAt = async (parts: FeedParts, moment: Date): Promise<Place> => {
  const found = await parts.store.transaction({}, (db) => store.selectNumberAt(db, moment), 'tenantry_search')
  return found?.number ? { seal: found.number, position: 0 } : findEndOfAll(parts)
}
