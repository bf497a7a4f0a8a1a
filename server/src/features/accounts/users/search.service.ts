import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { totalMax } from '../../../http/schemas.ts'
import type { Slice } from '../../../db/columns.ts'
import * as store from './users.store.ts'

/** With this many matches among the first users, the key finds all others sooner than the index. */
const frequentMin = 14

export interface Found {
  ids: number[]
  /** Up to one more than `totalMax`. */
  count: number
}

/** The ids of a page of the users whose names hold a keyword, and how many there are. */
export const findUsers = (
  { parts, tenantId }: Ctx,
  filter: store.SearchFilter,
  slice: Slice,
): Promise<Found> => parts.store.transaction({}, (db) => find(db, tenantId, filter, slice), 'tenantry_search')

/**
 * Searches the first users of the list. That covers a small tenant, and shows whether the keyword is frequent. A
 * frequent keyword fills its page soon along the key; the index delivers all matches of a rare one.
 */
const find = async (db: Db, tenantId: string, filter: store.SearchFilter, slice: Slice): Promise<Found> => {
  const [, near] = await Promise.all([store.goAlongKey(db), store.selectNear(db, tenantId, filter, slice)])
  const isEnd = near.seen < store.nearUsers
  const isHere = isEnd || near.ids.length === slice.limit
  if (isRare(filter, { ...near, isEnd })) return findByIndex(db, tenantId, filter, slice)
  const [, ids] = await Promise.all([
    isEnd ? undefined : store.planAnew(db),
    isHere ? near.ids : selectIds(db, tenantId, filter, slice),
  ])
  return {
    ids,
    count: countOf(filter, slice, { ...near, ids, isEnd }) ?? (await count(db, tenantId, filter)),
  }
}

/** Takes all matches from the index, in one flush. */
const findByIndex = async (
  db: Db,
  tenantId: string,
  filter: store.SearchFilter,
  slice: Slice,
): Promise<Found> => {
  const going = store.goAlongIndex(db)
  if (filter.afterId === undefined && slice.offset + slice.limit <= totalMax) {
    const [found] = await Promise.all([
      store.selectFound(db, tenantId, filter, { ...slice, max: totalMax }),
      going,
    ])
    return found
  }
  const [ids, matches] = await Promise.all([
    selectIds(db, tenantId, filter, slice),
    count(db, tenantId, filter),
    going,
  ])
  return { ids, count: matches }
}

/** Whether the index finds the other matches sooner. After `afterId`, the end of the list is not all of it. */
const isRare = ({ search, afterId }: store.SearchFilter, { hits, isEnd }: store.Near & { isEnd: boolean }) =>
  hits < frequentMin && store.isIndexed(search) && !(isEnd && afterId === undefined)

const selectIds = async (db: Db, tenantId: string, filter: store.SearchFilter, slice: Slice) =>
  (await store.selectFoundIds(db, tenantId, filter, slice)).map(({ id }) => id)

const count = async (db: Db, tenantId: string, filter: store.SearchFilter): Promise<number> =>
  (await store.countFound(db, tenantId, filter, totalMax))?.count ?? 0

/** The number of matches if the page already tells it; undefined when it must be counted. */
const countOf = (
  { afterId }: store.SearchFilter,
  { limit, offset }: Slice,
  { isEnd, hits, ids }: store.Near & { isEnd: boolean },
): number | undefined => {
  if (afterId !== undefined) return undefined
  if (isEnd) return hits
  const isLastPage = ids.length < limit && (ids.length > 0 || offset === 0)
  return isLastPage ? offset + ids.length : undefined
}
