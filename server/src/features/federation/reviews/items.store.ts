import sql, { empty, type Sql } from 'sql-template-tag'
import { principalsOf } from '../../../access/templates.sql.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import { present, reviewed, snapshotColumns, type ReviewedObject } from './reviewed.sql.ts'
import type { Kind, Outcome, ReviewItem } from './reviews.schemas.ts'

const columns = sql`
  i.id, i.kind, json_build_object('id', i.subject_id, 'name', i.subject_name, 'type', i.subject_type) as subject,
  json_build_object('id', i.what_id, 'name', i.what_name) as what, i.source,
  json_build_object('id', i.given_by, 'name', i.given_by_name) as given_by, ${isoTime('i.given_at')} as given_at,
  ${isoTime('i.expires_at')} as expires_at, ${isoTime('i.last_used_at')} as last_used_at, i.decision,
  json_build_object('id', i.decided_by, 'name', i.decided_by_name) as decided_by, i.comment, i.outcome`

/** The number of items that a review of these kinds would have, at most `max` + 1. */
export const measureItems = (db: Db, tenantId: string, kinds: Kind[], max: number) =>
  db.only<{ count: number }>(takesLong(countUpTo(max, sql`from (${reviewed(tenantId, kinds)}) as reviewed`)))

/**
 * Declares a cursor over the objects of a review, as JSON. It shows all of them as they are at this moment, however long
 * the reads take.
 */
export const declareReviewed = (db: TransactionDb, tenantId: string, kinds: Kind[]): void =>
  db.send(sql`
    declare reviewed no scroll cursor for
    select to_json(one)::text as row from (${reviewed(tenantId, kinds)}) as one (${snapshotColumns})`)

/** The next objects of the cursor. */
export const fetchReviewed = (db: TransactionDb) => db.many<{ row: string }>(sql`fetch 2000 from reviewed`)

/** Inserts objects of the cursor as items, in their order. */
export const insertItems = (db: TransactionDb, tenantId: string, reviewId: number, rows: string[]): void =>
  db.send(sql`
    insert into review_items (tenant_id, review_id, ${snapshotColumns})
    select ${tenantId}::uuid, ${reviewId}::bigint, ${snapshotColumns}
    from json_populate_recordset(null::review_items, ${`[${rows.join(',')}]`}::json)`)

/** The tenants of givers of other tenants, whose names the tenant in scope cannot read. */
export const selectGiversElsewhere = (db: Db, tenantId: string, reviewId: number) =>
  db.many<{ id: number; home: string }>(sql`
    select distinct given_by as id, given_by_tenant as home from review_items
    where tenant_id = ${tenantId} and review_id = ${reviewId} and given_by_tenant is not null and given_by_name = ''`)

/** The names of users and service accounts of the tenant in scope. */
export const selectNames = (db: Db, tenantId: string, ids: number[]) =>
  db.many<{ id: number; name: string }>(sql`
    select id, username as name from ${principalsOf(tenantId)} u where id = any (${ids}::bigint[])`)

export const updateGiverNames = (
  db: TransactionDb,
  { tenantId, reviewId, home }: { tenantId: string; reviewId: number; home: string },
  names: { id: number; name: string }[],
): void =>
  db.send(sql`
    update review_items i set given_by_name = found.name
    from unnest(${names.map(({ id }) => id)}::bigint[], ${names.map(({ name }) => name)}::text[]) as found(id, name)
    where i.tenant_id = ${tenantId} and i.review_id = ${reviewId} and i.given_by_tenant = ${home} and i.given_by = found.id`)

export interface ItemFilter {
  kind: Kind | undefined
  outcome: Outcome | undefined
}

const matching = (tenantId: string, reviewId: number, { kind, outcome }: ItemFilter): Sql => sql`
  from review_items i where i.tenant_id = ${tenantId} and i.review_id = ${reviewId}
    ${kind === undefined ? empty : sql`and i.kind = ${kind}`}
    ${outcome === undefined ? empty : sql`and i.outcome = ${outcome}`}`

/** By id. */
export const selectItems = (
  db: Db,
  { tenantId, reviewId }: { tenantId: string; reviewId: number },
  filter: ItemFilter & { afterId: number | undefined },
  { limit, offset }: Slice,
) =>
  db.many<ReviewItem>(
    takesLong(sql`
      select ${columns} ${matching(tenantId, reviewId, filter)}
        ${filter.afterId === undefined ? empty : sql`and i.id > ${filter.afterId}`}
      order by i.id limit ${limit} offset ${offset}`),
  )

/** The number of these items, at most `max` + 1. */
export const countItems = (
  db: Db,
  { tenantId, reviewId }: { tenantId: string; reviewId: number },
  filter: ItemFilter,
  max: number,
) =>
  db.only<{ count: number }>(
    takesLong(countUpTo(max, sql`${matching(tenantId, reviewId, filter)} order by i.id`)),
  )

export type ReportedItem = ReviewItem & { decided_at: string }

/** The next items of a report. */
export const selectItemsAfter = (
  db: Db,
  { tenantId, reviewId }: { tenantId: string; reviewId: number },
  afterId: number,
  limit: number,
) =>
  db.many<ReportedItem>(
    takesLong(sql`
      select ${columns}, ${isoTime('i.decided_at')} as decided_at
      from review_items i where i.tenant_id = ${tenantId} and i.review_id = ${reviewId} and i.id > ${afterId}
      order by i.id limit ${limit}`),
  )

/** The facts about an item that a decision compares. */
export interface StoredItem extends ReviewedObject {
  id: number
  subject_name: string
  subject_account: number | null
  what_name: string
  state: string
  told: number[]
  outcome: Outcome
  decision: ReviewItem['decision']
}

/** A generic plan would read the whole review, because it does not know its size. */
export const selectItemsByIds = (db: Db, tenantId: string, reviewId: number, ids: number[]) =>
  db.many<StoredItem>(
    takesLong(sql`
      select i.id, i.kind, i.source, i.subject_id, i.subject_name, i.subject_account, i.what_id, i.what_name, i.object_id,
        i.state, array_to_json(i.told) as told, i.outcome, i.decision
      from review_items i
      where i.tenant_id = ${tenantId} and i.review_id = ${reviewId} and i.id = any (${ids}::bigint[])`),
  )

/** The present state of an item's object. */
export interface PresentItem extends ReviewedObject {
  given_by: number
  given_by_tenant: string | null
  state: string
  /** The snapshot's columns as JSON. */
  row: string
}

/** The present state of the objects that still exist and count. */
export const selectPresent = async (
  db: Db,
  tenantId: string,
  items: ReviewedObject[],
): Promise<PresentItem[]> => {
  const found = present(tenantId, items).map((part) =>
    db.many<PresentItem>(sql`
      select kind, source, subject_id, what_id, object_id, given_by, given_by_tenant, state, to_json(one)::text as row
      from (${part}) as one (${snapshotColumns})`),
  )
  return (await Promise.all(found)).flat()
}

/** Replaces the snapshot of an item by its present state, and forgets an earlier decision. */
export const updateSnapshot = (
  db: TransactionDb,
  { tenantId, reviewId, id }: { tenantId: string; reviewId: number; id: number },
  { row, told, giver }: { row: string; told: number[]; giver: string | undefined },
): void =>
  db.send(sql`
    update review_items i
    set source = one.source, subject_name = one.subject_name, what_name = one.what_name, given_by = one.given_by,
      given_by_tenant = one.given_by_tenant, given_by_name = coalesce(${giver ?? null}, one.given_by_name),
      given_at = one.given_at, expires_at = one.expires_at, last_used_at = one.last_used_at, object_id = one.object_id,
      state = one.state, told = ${told}::bigint[], outcome = 'changed', decision = '', decided_by = 0, decided_by_name = '',
      decided_at = null, comment = ''
    from json_populate_record(null::review_items, ${row}::json) as one
    where i.tenant_id = ${tenantId} and i.review_id = ${reviewId} and i.id = ${id}`)

export interface Decision {
  id: number
  outcome: Outcome
  decision: 'keep' | 'revoke'
  comment: string
  by: { id: number; name: string }
}

export const updateDecided = (
  db: TransactionDb,
  { tenantId, reviewId }: { tenantId: string; reviewId: number },
  { id, outcome, decision, comment, by }: Decision,
): void =>
  db.send(sql`
    update review_items
    set outcome = ${outcome}, decision = ${decision}, comment = ${comment}, decided_by = ${by.id}, decided_by_name = ${by.name},
      decided_at = statement_timestamp()
    where tenant_id = ${tenantId} and review_id = ${reviewId} and id = ${id}`)

/** Deletes up to `limit` items. */
export const deleteItemRows = (db: Db, tenantId: string, reviewId: number, limit: number) =>
  db.run(sql`
    delete from review_items where tenant_id = ${tenantId} and review_id = ${reviewId} and ctid = any (array(
      select ctid from review_items where tenant_id = ${tenantId} and review_id = ${reviewId} limit ${limit}))`)
