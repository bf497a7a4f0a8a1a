import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { totalMax } from '../../../http/schemas.ts'
import type { Slice } from '../../../db/columns.ts'
import * as store from './users.store.ts'

/**
 * With at least this many matches among the first users, a search along the key finds the other matches sooner than the
 * index.
 */
const frequentMin = 14

export interface FoundUsers {
  ids: number[]
  /** At most `totalMax` + 1. */
  count: number
}

/** A page of ids of the users whose names contain the keyword, and the number of matches. */
export const findUsers = (
  { parts, tenantId }: Ctx,
  filter: store.SearchFilter,
  slice: Slice,
): Promise<FoundUsers> =>
  parts.store.transaction({}, (db) => find(db, tenantId, filter, slice), 'tenantry_search')

/**
 * Searches the first users of the list. That covers a small tenant, and shows whether the keyword is frequent. For a
 * frequent keyword, a search along the key soon fills the page. For a rare keyword, the index has all matches.
 */
const find = async (
  db: Db,
  tenantId: string,
  filter: store.SearchFilter,
  slice: Slice,
): Promise<FoundUsers> => {
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

/** Finds all matches with the index, in one round trip. */
const findByIndex = async (
  db: Db,
  tenantId: string,
  filter: store.SearchFilter,
  slice: Slice,
): Promise<FoundUsers> => {
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

/**
 * True if the index finds the other matches sooner. With `afterId`, the search can reach the list's end without its
 * beginning.
 */
const isRare = (
  { search, afterId }: store.SearchFilter,
  { hits, isEnd }: store.NearMatches & { isEnd: boolean },
) => hits < frequentMin && store.isIndexed(search) && !(isEnd && afterId === undefined)

const selectIds = async (db: Db, tenantId: string, filter: store.SearchFilter, slice: Slice) =>
  (await store.selectFoundIds(db, tenantId, filter, slice)).map(({ id }) => id)

const count = async (db: Db, tenantId: string, filter: store.SearchFilter): Promise<number> =>
  (await store.countFound(db, tenantId, filter, totalMax))?.count ?? 0

/** The number of matches if the page already determines it. */
const countOf = (
  { afterId }: store.SearchFilter,
  { limit, offset }: Slice,
  { isEnd, hits, ids }: store.NearMatches & { isEnd: boolean },
): number | undefined => {
  if (afterId !== undefined) return undefined
  if (isEnd) return hits
  const isLastPage = ids.length < limit && (ids.length > 0 || offset === 0)
  return isLastPage ? offset + ids.length : undefined
}
