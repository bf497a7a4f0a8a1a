import type { Client } from '@tenantry/client'
import { nameOf } from '../format.ts'

/** The most names of one request. */
const namesMax = 200

/** The present names of users by their ids, with one request. An id that is no user of the tenant in scope has none. */
export const readNames = async (
  api: Client,
  ids: number[],
  signal: AbortSignal,
): Promise<Map<number, string>> => {
  const asked = [...new Set(ids)].filter((id) => id > 0).slice(0, namesMax)
  if (asked.length === 0) return new Map()
  const { items } = await api.users.list({ ids: asked.join(','), page_size: namesMax }, { signal })
  return new Map(items.map((user) => [user.id, nameOf(user)]))
}
