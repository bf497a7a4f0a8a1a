/** The list of users: filters, order, and roles. */
import {
  readFilters,
  readOfUsers,
  usersWith,
  type AttributeFilter,
} from '../../configuration/attributes/filters.service.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { policies, requireMay } from '../../../access/policies.ts'
import type { CountUsers } from './counts.service.ts'
import * as store from './listing.store.ts'
import { findUsers } from './search.service.ts'
import type { ListedUser, UserQuery } from './users.schemas.ts'
import { countUsersOfStatus } from './users.service.ts'
import { countUsersOfRole, selectPersonsOfUsers, selectUsers, selectUsersByIds } from './users.store.ts'

/**
 * A page of users. If `isSortIgnored`, it is ordered by id instead of the requested order, and envelope.ts sets a
 * header.
 */
interface UserPage extends CountedPage<ListedUser> {
  isSortIgnored: boolean
}

/** Answers a user query from one source: the count, one page by id, or all matches sorted. */
interface Source {
  count: () => Promise<number>
  page: () => Promise<ListedUser[]>
  /** Call it only for up to `totalMax` users. */
  sorted: (sort: store.ValueSort) => Promise<ListedUser[]>
}

/**
 * Users of the tenant in scope. Up to `totalMax` matches come in the requested order, more matches by id. Throws 403
 * for roles without `role:read`, and for persons without `tenant:enter`. Throws 400 for `after_id` with an order other
 * than by id, and for `ids` with `seen`.
 */
export const listUsers = async (ctx: Ctx, query: UserQuery, countUsers: CountUsers): Promise<UserPage> => {
  const { include = '' } = query
  requireExtras(ctx, query)
  const sort = store.valueSortOf(query.sort)
  requireFitting(query, sort)
  const filters = await readFilters(ctx, 'user', query)
  const source = await sourceOf(ctx, query, filters, countUsers)
  const { items, count } = await (sort ? inOrderOf(source, sort) : byId(source))
  const page = pageOf(
    await withExtras(ctx, items, include),
    count,
    query.page,
    isFiltered(query) || filters.length > 0,
  )
  return { ...page, isSortIgnored: sort !== undefined && count > totalMax }
}

const requireFitting = (
  { after_id: afterId, ids, seen }: UserQuery,
  sort: store.ValueSort | undefined,
): void => {
  if (sort && afterId !== undefined) {
    throw invalid('after_id', 'reads on in the order of ids: leave out sort, or give id or -id')
  }
  if (ids !== undefined && seen !== undefined) throw invalid('ids', 'cannot be combined with seen')
}

const requireExtras = ({ actor }: Ctx, { role_id: roleId, include }: UserQuery): void => {
  if (roleId !== undefined || include?.includes('roles')) {
    requireMay(actor, policies.readRolesOfUsers, undefined)
  }
  if (include?.includes('person')) requireMay(actor, policies.readPersons, undefined)
}

const isFiltered = ({ search, status, role_id: roleId, ids, seen }: UserQuery): boolean =>
  Boolean(search) || [status, roleId, ids, seen].some((filter) => filter !== undefined)

const byId = async ({ page, count }: Source) => {
  const [items, counted] = await Promise.all([page(), count()])
  return { items, count: counted }
}

const inOrderOf = async ({ page, count, sorted }: Source, sort: store.ValueSort) => {
  const counted = await count()
  return { items: await (counted > totalMax ? page() : sorted(sort)), count: counted }
}

const sourceOf = (
  ctx: Ctx,
  query: UserQuery,
  filters: AttributeFilter[],
  countUsers: CountUsers,
): Source | Promise<Source> => {
  if (filters.length > 0) return attributed(ctx, query, filters, countUsers)
  if ((query.ids ?? query.seen) !== undefined) return seenOnes(ctx, query)
  if (query.role_id !== undefined) return holders(ctx, query, query.role_id)
  return query.search ? matches(ctx, query, query.search) : everybody(ctx, query, countUsers)
}

/** Only `-id` sorts ids in descending order. Another ignored order becomes `id`. */
const filterOf = ({ status, sort, after_id: afterId }: UserQuery) => ({
  status,
  afterId,
  sort: sort === '-id' || sort === '-created_at' ? ('-id' as const) : ('id' as const),
})

const everybody = (ctx: Ctx, query: UserQuery, countUsers: CountUsers): Source => {
  const { db, tenantId } = ctx
  const { status } = query
  const filter = filterOf(query)
  return {
    count: () => (status === undefined ? countUsers(ctx) : countUsersOfStatus(ctx, status)),
    page: () => selectUsers(db, tenantId, filter, sliceOf(query)),
    sorted: (sort) =>
      store.selectSorted(db, tenantId, store.idsOf(tenantId, filter, totalMax), { ...sliceOf(query), sort }),
  }
}

const holders = ({ db, tenantId }: Ctx, query: UserQuery, roleId: number): Source => {
  const filter = { ...filterOf(query), roleId, search: query.search }
  return {
    count: () => countHolders(db, tenantId, filter),
    page: () => store.selectHolders(db, tenantId, filter, sliceOf(query)),
    sorted: (sort) =>
      store.selectSorted(db, tenantId, store.idsOfHolders(tenantId, filter, totalMax), {
        ...sliceOf(query),
        sort,
      }),
  }
}

/** The index of attributes has the users in the order of ids. Other filters apply to these. */
const attributed = async (
  ctx: Ctx,
  query: UserQuery,
  filters: AttributeFilter[],
  countUsers: CountUsers,
): Promise<Source> => {
  const { db, tenantId } = ctx
  const { status, role_id: roleId, search } = query
  const seen = await seenOf(ctx, query)
  const attributes = usersWith(tenantId, filters)
  const isOne = filters.length === 1
  const filter = { ...filterOf(query), attributes, isOne, seen, roleId, search }
  const count = async () => (await store.countAttributed(db, tenantId, filter, totalMax))?.count ?? 0
  const name = JSON.stringify([filters, status, roleId, search, query.ids, query.seen])
  return {
    count: () => countUsers(ctx, { name, count }),
    page: () => store.selectAttributed(db, tenantId, filter, sliceOf(query)),
    sorted: (sort) =>
      store.selectSorted(db, tenantId, store.idsOfAttributed(tenantId, filter, totalMax), {
        ...sliceOf(query),
        sort,
      }),
  }
}

/** The day on which users were seen, or the ids of the named or online users. Undefined without these filters. */
const seenOf = async (
  { parts, tenantId }: Ctx,
  { ids, seen }: UserQuery,
): Promise<Date | number[] | undefined> => {
  if (ids !== undefined) return ids.split(',').map(Number)
  if (seen === undefined) return undefined
  return seen === 'online' ? parts.cache.listOnline(tenantId, totalMax) : parts.now()
}

/** Few users match the ids, the day's index or the presence of the last 5 minutes. Other filters apply to these. */
const seenOnes = async (ctx: Ctx, query: UserQuery): Promise<Source> => {
  const { db, tenantId, parts } = ctx
  const seen = (await seenOf(ctx, query)) ?? parts.now()
  const filter = { ...filterOf(query), seen, roleId: query.role_id, search: query.search }
  return {
    count: async () => (await store.countSeen(db, tenantId, filter, totalMax))?.count ?? 0,
    page: () => store.selectSeen(db, tenantId, filter, sliceOf(query)),
    sorted: (sort) =>
      store.selectSorted(db, tenantId, store.idsOfSeen(tenantId, filter, totalMax), {
        ...sliceOf(query),
        sort,
      }),
  }
}

/** Without another filter one index counts the holders, which costs a tenth (decision 0083). */
const countHolders = async (db: Db, tenantId: string, filter: store.HolderFilter): Promise<number> => {
  const isPlain = filter.status === undefined && !filter.search
  const counted = await (isPlain
    ? countUsersOfRole(db, tenantId, filter.roleId, totalMax)
    : store.countHolders(db, tenantId, filter, totalMax))
  return counted?.count ?? 0
}

/**
 * Finds ids as a role that sees only the searched columns. With the policy of requests PostgreSQL could not use an
 * index for LIKE (decision 0008). Then reads the users with that policy.
 */
const matches = (ctx: Ctx, query: UserQuery, search: string): Source => {
  const { db, tenantId } = ctx
  const filter = { ...filterOf(query), search }
  const finding = findUsers(ctx, filter, sliceOf(query))
  return {
    count: async () => (await finding).count,
    page: async () => {
      const { ids } = await finding
      const users = new Map((await selectUsersByIds(db, tenantId, ids)).map((user) => [user.id, user]))
      return ids.flatMap((id) => users.get(id) ?? [])
    },
    sorted: async (sort) => {
      const { ids, count } = await finding
      const all =
        ids.length === count ? ids : (await findUsers(ctx, filter, { limit: totalMax, offset: 0 })).ids
      return store.selectSorted(db, tenantId, store.idsIn(all), { ...sliceOf(query), sort })
    },
  }
}

type Extra = (userId: number) => Partial<ListedUser>

/** Adds the requested extras, with one statement for each. */
const withExtras = async (ctx: Ctx, users: ListedUser[], include: string): Promise<ListedUser[]> => {
  const ids = users.map(({ id }) => id)
  const [attributes, roles, created, person] = await Promise.all([
    include.includes('attributes') ? readOfUsers(ctx, ids) : undefined,
    include.includes('roles') ? readRoles(ctx, ids) : undefined,
    include.includes('created_at') ? readExtra(ctx, store.selectCreatedOfUsers, ids) : undefined,
    include.includes('person') ? readExtra(ctx, selectPersonsOfUsers, ids) : undefined,
  ])
  return users.map((user) => ({
    ...user,
    ...roles?.(user.id),
    ...created?.(user.id),
    ...person?.(user.id),
    ...attributes?.(user.id),
  }))
}

type Select = (db: Db, tenantId: string, ids: number[]) => Promise<({ id: number } & Partial<ListedUser>)[]>

const readExtra = async ({ db, tenantId }: Ctx, select: Select, ids: number[]): Promise<Extra> => {
  const rows = new Map((await select(db, tenantId, ids)).map((row) => [row.id, row]))
  return (userId) => rows.get(userId) ?? {}
}

const readRoles = async ({ db, tenantId }: Ctx, userIds: number[]): Promise<Extra> => {
  const held = await store.selectRolesOfUsers(db, tenantId, userIds)
  const roles = Map.groupBy(held, ({ user_id: userId }) => userId)
  return (userId) => ({ roles: (roles.get(userId) ?? []).map(({ id, name }) => ({ id, name })) })
}
