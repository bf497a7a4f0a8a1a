/** Access reviews: people decide whether others keep what they hold. */
import { policies, requireFullSession, requireMay, may } from '../../../access/policies.ts'
import { inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import * as itemStore from './items.store.ts'
import { notifyReviewers } from './notices.service.ts'
import {
  outcomes,
  type OpenReview,
  type Review,
  type ReviewCounts,
  type ReviewItem,
  type ReviewItemQuery,
  type ReviewQuery,
} from './reviews.schemas.ts'
import * as store from './reviews.store.ts'

/** docs/contract.md, "Access reviews". */
const openMax = 10
const itemsMax = 100_000
/** Of a tenant, because each can have as many rows. */
const perDayMax = 50
const dayMs = 24 * 3_600_000

/** Every outcome with its number, in the order of the schema: a report has the same bytes each time. */
const countsOf = (tally: store.Tally): ReviewCounts => {
  const each = outcomes.map((outcome): [string, number] => [outcome, tally[outcome] ?? 0])
  const total = each.reduce((sum, [, count]) => sum + count, 0)
  return { total, ...Object.fromEntries(each) } as ReviewCounts
}

export const shownReview = (row: store.ReviewRow): Review => ({ ...row, counts: countsOf(row.counts) })

export const reviewUnknown = () =>
  new AppError('reviewUnknown', 'There is no review with this id in this tenant')

const asResource = (tenantId: string, { reviewer_ids }: Pick<Review, 'reviewer_ids'>) => ({
  tenant_id: tenantId,
  reviewer_ids,
})

const findReview = async ({ db, tenantId }: Ctx, id: number): Promise<store.ReviewRow> => {
  const found = await store.selectReview(db, tenantId, id)
  if (!found) throw reviewUnknown()
  return found
}

/** A review that the caller may read: its reviewers, and callers with `review:read`. Throws 404 or 403. */
export const getReview = async (ctx: Ctx, id: number): Promise<Review> => {
  const found = await findReview(ctx, id)
  requireMay(ctx.actor, policies.readReview, asResource(ctx.tenantId, found))
  return shownReview(found)
}

/** Throws 404 for an unknown review, and 403 as `requireReviewer`. */
export const requireOwnReview = async (ctx: Ctx, id: number): Promise<void> =>
  requireReviewer(ctx, await findReview(ctx, id))

/** Throws 403 unless the caller is a reviewer. */
export const requireReviewer = (
  { actor, tenantId }: Pick<Ctx, 'actor' | 'tenantId'>,
  review: Pick<Review, 'reviewer_ids'>,
): void => {
  if (may(actor, policies.decideReview, asResource(tenantId, review))) return
  throw new AppError('notReviewer', 'Only its reviewers decide in this review')
}

/** Reviews of the tenant in scope, by id. Callers without `review:read` get those in which they decide. */
export const listReviews = async (ctx: Ctx, query: ReviewQuery): Promise<CountedPage<Review>> => {
  const { db, tenantId, actor } = ctx
  const isReader = may(actor, policies.readReview, { tenant_id: tenantId, reviewer_ids: [] })
  const own = actor.tenantId === tenantId ? actor.userId : 0
  const filter = { status: query.status, reviewerId: isReader ? undefined : own }
  const [rows, { count }] = await Promise.all([
    store.selectReviews(db, tenantId, { ...filter, afterId: query.after_id }, sliceOf(query)),
    store.countReviews(db, tenantId, filter, totalMax),
  ])
  return pageOf(rows.map(shownReview), count, query.page, true)
}

/** The items of a review, by id. */
export const listReviewItems = async (
  ctx: Ctx,
  reviewId: number,
  query: ReviewItemQuery,
): Promise<CountedPage<ReviewItem>> => {
  const { db, tenantId } = ctx
  const review = await getReview(ctx, reviewId)
  const filter = { kind: query.kind, outcome: query.outcome }
  const isFiltered = query.kind !== undefined || query.outcome !== undefined
  const [items, { count }] = await Promise.all([
    itemStore.selectItems(db, { tenantId, reviewId }, { ...filter, afterId: query.after_id }, sliceOf(query)),
    isFiltered
      ? itemStore.countItems(db, { tenantId, reviewId }, filter, totalMax)
      : { count: review.counts.total },
  ])
  return pageOf(items, count, query.page, isFiltered)
}

const readDue = (text: string, now: Date): Date => {
  const due = new Date(text)
  const aheadMs = due.getTime() - now.getTime()
  if (aheadMs >= dayMs && aheadMs <= 90 * dayMs) return due
  throw invalid('due_at', 'must be 1 to 90 days ahead')
}

const requireReviewers = async ({ db, tenantId }: TransactionCtx, ids: number[]): Promise<void> => {
  const found = new Set((await store.selectUserIds(db, tenantId, ids)).map(({ id }) => id))
  const wrong = ids.findIndex((id) => !found.has(id))
  if (wrong >= 0) throw invalid(`reviewer_ids.${wrong}`, 'is no user of this tenant')
}

const tooLarge = () =>
  new AppError(
    'reviewTooLarge',
    `A review has at most ${itemsMax.toLocaleString('en')} items. Review fewer kinds at once`,
  )

/** Throws 409 beyond ten open reviews, and for more items than a review may have. Throws 429 beyond 50 within a day. */
const requireRoom = async ({ db, tenantId }: TransactionCtx, { kinds }: OpenReview): Promise<void> => {
  if ((await store.countOpen(db, tenantId)).count >= openMax) {
    throw new AppError('reviewsFull', `A tenant has at most ${openMax} open reviews. Close one first`)
  }
  if ((await store.countOfDay(db, tenantId)).count >= perDayMax) {
    throw new AppError('tooManyRequests', `A tenant opens at most ${perDayMax} reviews within a day`, {
      retryAfterSeconds: 3600,
    })
  }
  if ((await itemStore.measureItems(db, tenantId, kinds, itemsMax)).count > itemsMax) throw tooLarge()
}

/** The names of these users of another tenant, within the transaction. */
const namesIn = (ctx: TransactionCtx, home: string, ids: number[]) =>
  inTenantWithin(ctx, home, ({ db }) => itemStore.selectNames(db, home, ids))

/** The name of a giver of another tenant. Undefined for one of the tenant in scope. */
export const nameElsewhere = async (
  ctx: TransactionCtx,
  id: number,
  home: string | null,
): Promise<string | undefined> =>
  home === null ? undefined : ((await namesIn(ctx, home, [id]))[0]?.name ?? '')

/** Fills in the names of givers of other tenants. */
const nameGivers = async (ctx: TransactionCtx, reviewId: number): Promise<void> => {
  const { db, tenantId } = ctx
  const givers = await itemStore.selectGiversElsewhere(db, tenantId, reviewId)
  for (const home of new Set(givers.map((giver) => giver.home))) {
    const ids = givers.flatMap((giver) => (giver.home === home ? giver.id : []))
    itemStore.updateGiverNames(db, { tenantId, reviewId, home }, await namesIn(ctx, home, ids))
  }
}

/** Copies everything that the review is about, as it is at one moment. Returns the number of items. */
const takeSnapshot = async (
  { db, tenantId }: TransactionCtx,
  reviewId: number,
  kinds: OpenReview['kinds'],
): Promise<number> => {
  itemStore.declareReviewed(db, tenantId, kinds)
  for (let count = 0; ;) {
    const rows = await itemStore.fetchReviewed(db)
    if (rows.length === 0) return count
    count += rows.length
    if (count > itemsMax) throw tooLarge()
    itemStore.insertItems(
      db,
      tenantId,
      reviewId,
      rows.map(({ row }) => row),
    )
  }
}

/**
 * Opens a review of everything that the tenant has of these kinds now. It takes one snapshot and no lock of authority.
 * Throws 400 for a reviewer who is no user of the tenant, and 409 beyond a limit.
 */
export const openReview = (outer: Ctx, input: OpenReview): Promise<Review> => {
  const dueAt = readDue(input.due_at, outer.parts.now())
  const { name, kinds, reviewer_ids: reviewerIds } = input
  return inTransaction(outer, async (ctx) => {
    const { actor, db, tenantId } = ctx
    requireFullSession(actor)
    await requireReviewers(ctx, reviewerIds)
    store.lockOpening(db, tenantId)
    await requireRoom(ctx, input)
    const createdBy = { id: actor.userId, name: actor.name }
    const { id } = await store.insertReview(db, tenantId, { name, kinds, reviewerIds, dueAt, createdBy })
    const pending = await takeSnapshot(ctx, id, kinds)
    await nameGivers(ctx, id)
    store.updateCounts(db, tenantId, id, { pending })
    await notifyReviewers(ctx, { reviewId: id, name, reviewerIds, dueAt })
    const fields = { name, kinds, reviewer_ids: reviewerIds, due_at: dueAt.toISOString(), items: pending }
    record(ctx, { action: 'review.open', resourceId: id, detail: changesBetween({}, fields) })
    const opened = await store.selectReview(db, tenantId, id)
    if (!opened) throw new Error('a new review was not found')
    return shownReview(opened)
  })
}
