import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import type { Kind, Outcome, Review } from './reviews.schemas.ts'

/** The number of items of each outcome that has any. */
export type Tally = Partial<Record<Outcome, number>>

export interface ReviewRow extends Omit<Review, 'counts'> {
  counts: Tally
}

/** True while a review takes decisions. The clock is the database's, so that all replicas agree on its end. */
const isOpen = sql`(v.closed_at is null and v.due_at > statement_timestamp())`

const closedAt = isoTime(
  'coalesce(v.closed_at, case when v.due_at <= statement_timestamp() then v.due_at end)',
)

const columns = sql`
  v.id, v.name, array_to_json(v.kinds) as kinds, array_to_json(v.reviewer_ids) as reviewer_ids, ${isoTime('v.due_at')} as due_at,
  case when ${isOpen} then 'open' else 'closed' end as status, v.counts,
  json_build_object('id', v.created_by, 'name', v.created_by_name) as created_by, ${isoTime('v.created_at')} as created_at,
  ${closedAt} as closed_at, v.report_sha256`

export interface ReviewFilter {
  status: Review['status'] | undefined
  /** Only the reviews that this user decides. Undefined: all. */
  reviewerId: number | undefined
}

const matching = (tenantId: string, { status, reviewerId }: ReviewFilter): Sql => sql`
  from reviews v where v.tenant_id = ${tenantId}
    ${status === undefined ? empty : status === 'open' ? sql`and ${isOpen}` : sql`and not ${isOpen}`}
    ${reviewerId === undefined ? empty : sql`and ${reviewerId}::bigint = any (v.reviewer_ids)`}`

/** By id. */
export const selectReviews = (
  db: Db,
  tenantId: string,
  filter: ReviewFilter & { afterId: number | undefined },
  { limit, offset }: Slice,
) =>
  db.many<ReviewRow>(sql`
    select ${columns} ${matching(tenantId, filter)}
      ${filter.afterId === undefined ? empty : sql`and v.id > ${filter.afterId}`}
    order by v.id limit ${limit} offset ${offset}`)

/** The number of these reviews, at most `max` + 1. */
export const countReviews = (db: Db, tenantId: string, filter: ReviewFilter, max: number) =>
  db.only<{ count: number }>(countUpTo(max, sql`${matching(tenantId, filter)} order by v.id`))

export const selectReview = (db: Db, tenantId: string, id: number) =>
  db.one<ReviewRow>(sql`select ${columns} from reviews v where v.tenant_id = ${tenantId} and v.id = ${id}`)

/** Locks a review until the transaction ends. Decisions and the end of a review exclude each other by it. */
export const selectReviewForUpdate = (db: Db, tenantId: string, id: number) =>
  db.one<ReviewRow>(
    sql`select ${columns} from reviews v where v.tenant_id = ${tenantId} and v.id = ${id} for update`,
  )

/** Lets one transaction at a time open a review of the tenant. */
export const lockOpening = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry reviews'), hashtext(${tenantId}))`)

export const countOpen = (db: Db, tenantId: string) =>
  db.only<{ count: number }>(
    sql`select count(*) as count from reviews v where v.tenant_id = ${tenantId} and ${isOpen}`,
  )

/** The reviews that were opened in the last day, closed ones too. */
export const countOfDay = (db: Db, tenantId: string) =>
  db.only<{ count: number }>(sql`
    select count(*) as count from reviews v
    where v.tenant_id = ${tenantId} and v.created_at > statement_timestamp() - interval '1 day'`)

/** Those of the ids that are users of the tenant. */
export const selectUserIds = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number }>(
    sql`select id from users where tenant_id = ${tenantId} and id = any (${ids}::bigint[])`,
  )

export interface NewReview {
  name: string
  kinds: Kind[]
  reviewerIds: number[]
  dueAt: Date
  createdBy: { id: number; name: string }
}

export const insertReview = (db: Db, tenantId: string, row: NewReview) =>
  db.only<{ id: number }>(sql`
    insert into reviews (tenant_id, name, kinds, reviewer_ids, due_at, created_by, created_by_name, created_at)
    values (${tenantId}, ${row.name}, ${row.kinds}::text[], ${row.reviewerIds}::bigint[], ${row.dueAt}, ${row.createdBy.id},
      ${row.createdBy.name}, statement_timestamp())
    returning id`)

export const updateCounts = (db: TransactionDb, tenantId: string, id: number, counts: Tally): void =>
  db.send(sql`
    update reviews set counts = ${JSON.stringify(counts)}::jsonb where tenant_id = ${tenantId} and id = ${id}`)

/** Closes a review, at its due time if that has passed. */
export const updateClosed = (db: Db, tenantId: string, id: number) =>
  db.only<ReviewRow>(sql`
    update reviews v set closed_at = least(v.due_at, statement_timestamp())
    where v.tenant_id = ${tenantId} and v.id = ${id} and v.closed_at is null
    returning ${columns}`)

export const updateReportHash = (db: TransactionDb, tenantId: string, id: number, sha256: string): void =>
  db.send(sql`update reviews set report_sha256 = ${sha256} where tenant_id = ${tenantId} and id = ${id}`)

/** Reviews of all tenants that are due and have no record of their end. Runs as the role of searches. */
export const selectDueReviews = (db: Db, limit: number) =>
  db.many<{ tenant_id: string; id: number }>(sql`
    select tenant_id, id from reviews where closed_at is null and due_at <= statement_timestamp() limit ${limit}`)

/** The time until the next one is due, in milliseconds of the database's clock. Runs as the role of searches. */
export const selectNextDue = (db: Db) =>
  db.only<{ ms: number | null }>(sql`
    select extract(epoch from min(due_at) - statement_timestamp())::float8 * 1000 as ms from reviews
    where closed_at is null`)

/** Reviews of all tenants that closed before the tenant's audit records expire. Runs in a transaction of `tenantry_purge`. */
export const selectExpiredReviews = (db: Db, limit: number) =>
  db.many<{ tenant_id: string; id: number }>(sql`
    select v.tenant_id, v.id from reviews v
    join tenant_settings s on s.tenant_id = v.tenant_id and s.key = 'audit.retention_days'
    where jsonb_typeof(s.value) = 'number'
      and v.closed_at < now() - case when s.value::numeric between 30 and 36500
        then s.value::int * interval '1 day' end
    limit ${limit}`)

export const deleteReviewRow = (db: Db, tenantId: string, id: number) =>
  db.run(sql`delete from reviews where tenant_id = ${tenantId} and id = ${id}`)
