/** What the audit query answers beside what plain SQL finds: totals and pages, for every filter. */
import sql, { empty, type Sql } from 'sql-template-tag'
import { expect } from 'vitest'
import { asOwner, ownerRows } from './audit-chain.ts'
import { ok, type Caller } from './factories.ts'

export interface Filter {
  user_id?: number
  action?: string
  resource?: string
  from?: string
  to?: string
}

const users = [1, 2] as const
const actions = ['user.update', 'user.create', 'role.update'] as const
const resources = ['user', 'role'] as const

/** All combinations of the three filters without moments, also those that find nothing. */
export const filters: Filter[] = [undefined, ...users].flatMap((user_id) =>
  [undefined, ...actions].flatMap((action) =>
    [undefined, ...resources].map((resource) => ({
      ...(user_id === undefined ? {} : { user_id }),
      ...(action === undefined ? {} : { action }),
      ...(resource === undefined ? {} : { resource }),
    })),
  ),
)

/** What PostgreSQL does by itself in time: plans that were made for empty tables are made anew. */
export const analyzed = sql`analyze audit_logs, audit_unsealed`

/** Writes many records of those users and actions at once, without the service; `ids` selects their ids, or they get new ones. */
export const writeMany = (tenantId: string, rows: number, at: Date, ids: Sql = freshIds(rows)) => {
  const written = sql`
    insert into audit_logs
      (tenant_id, id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
    overriding system value
    select ${tenantId}::uuid, id, 1 + id % 7 / 5, action, split_part(action, '.', 1), '', '{}', '', '', '', ${at}
    from (${ids}) i, lateral (select (${[...actions]}::text[])[1 + id % 11 / 4] as action) a`
  return asOwner(written, analyzed)
}

const nextId = sql`nextval(pg_get_serial_sequence('audit_logs', 'id'))`

const freshIds = (rows: number) => sql`select ${nextId} as id from generate_series(1, ${rows}::int)`

/** Draws ids for records that are written later: as a transaction does that takes its time. */
export const drawIds = async (rows: number): Promise<number[]> =>
  (await ownerRows<{ id: number }>(freshIds(rows))).map(({ id }) => id)

export const those = (ids: number[]) => sql`select unnest(${ids}::bigint[]) as id`

const whereOf = (tenantId: string, { user_id, action, resource, from, to }: Filter): Sql => sql`
  from audit_logs where tenant_id = ${tenantId}
  ${user_id === undefined ? empty : sql`and user_id = ${user_id}`}
  ${action === undefined ? empty : sql`and action = ${action}`}
  ${resource === undefined ? empty : sql`and resource = ${resource}`}
  ${from === undefined ? empty : sql`and created_at >= ${from}`}
  ${to === undefined ? empty : sql`and created_at < ${to}`}`

/** By plain SQL, newest first. */
const idsOf = async (tenantId: string, filter: Filter): Promise<number[]> =>
  (await ownerRows<{ id: number }>(sql`select id ${whereOf(tenantId, filter)} order by id desc`)).map(
    ({ id }) => id,
  )

const pageSize = 20

/** Pages at the start, around the edges of blocks of 4096, in between, at the end and past it. */
const pagesOf = (total: number): number[] => {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const edges = [1, 204, 205, 206, 409, 410, Math.ceil(last / 2), last - 1, last, last + 1]
  return [...new Set(edges.filter((page) => page >= 1 && page <= last + 1))]
}

/** Filters whose total, kept in their last block, is not the sum of their blocks. */
const wrongTotals = (tenantId: string) =>
  ownerRows(sql`
    select user_id, action, resource, sum(count)::bigint as sum, (array_agg(earlier + count order by first_id desc))[1] as total
    from audit_counts where tenant_id = ${tenantId}
    group by 1, 2, 3 having sum(count) <> (array_agg(earlier + count order by first_id desc))[1]`)

/** Fails the test when a total or a page differs from what plain SQL finds. Who asks may read the tenant's audit log. */
export const expectExact = async (who: Caller, tenantId: string, some = filters): Promise<void> => {
  expect(await wrongTotals(tenantId)).toEqual([])
  for (const filter of some) {
    const ids = await idsOf(tenantId, filter)
    for (const page of pagesOf(ids.length)) {
      const query = new URLSearchParams({ ...filter, page, page_size: pageSize } as never).toString()
      const { items, total } = ok(await who.get(`/audit/logs?${query}`, { tenant: tenantId }))
      const found = (items as { id: number }[]).map(({ id }) => id)
      const start = (page - 1) * pageSize
      expect([query, total, found]).toEqual([query, ids.length, ids.slice(start, start + pageSize)])
    }
  }
}

/** How many records the blocks of a tenant hold, by plain SQL: those that are sealed, once for each of the eight filters. */
export const countedRecords = async (tenantId: string): Promise<number> => {
  const [row] = await ownerRows<{ records: number | null }>(
    sql`select sum(count)::bigint / 8 as records from audit_counts where tenant_id = ${tenantId}`,
  )
  return row?.records ?? 0
}
