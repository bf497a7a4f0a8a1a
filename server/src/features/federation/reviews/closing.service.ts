/** The end of a review, and its report. */
import { createHash } from 'node:crypto'
import { requireFullSession } from '../../../access/policies.ts'
import { inTransaction, requireStillAllowed, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { forEachDue } from '../sso/due.service.ts'
import * as itemStore from './items.store.ts'
import { getReview, reviewUnknown, shownReview } from './reviews.service.ts'
import type { Review } from './reviews.schemas.ts'
import * as store from './reviews.store.ts'

/** The items of one read; it bounds the memory of any report. */
const batchRows = 1000

/**
 * The pieces of a report. The sealed record of the end has the hash of these bytes, so the form never changes. A new
 * form needs a new version, and old reviews keep this one.
 */
async function* reportPieces(
  { db, tenantId }: Pick<Ctx, 'db' | 'tenantId'>,
  review: Review,
  check: () => Promise<unknown>,
): AsyncGenerator<string> {
  const { id, name, kinds, reviewer_ids, due_at, created_by, created_at, closed_at, counts } = review
  const head = {
    id,
    tenant_id: tenantId,
    name,
    kinds,
    reviewer_ids,
    due_at,
    created_by,
    created_at,
    closed_at,
    counts,
  }
  yield `{"version":1,\n"review":${JSON.stringify(head)},\n"items":[`
  let open = '\n'
  for (let afterId: number | undefined = 0; afterId !== undefined;) {
    await check()
    const items = await itemStore.selectItemsAfter(db, { tenantId, reviewId: id }, afterId, batchRows)
    if (items.length > 0) yield open + items.map((item) => JSON.stringify(item)).join(',\n')
    open = ',\n'
    afterId = items.length < batchRows ? undefined : items.at(-1)?.id
  }
  yield '\n]}\n'
}

/** The report of a review as a file. Before the end it shows the decisions so far. */
export const exportReview = async (ctx: Ctx, id: number) => {
  const review = await getReview(ctx, id)
  return {
    contentType: 'application/json; charset=utf-8',
    fileName: `review-${id}.json`,
    body: reportPieces(ctx, review, () => requireStillAllowed(ctx)),
  }
}

const reportHash = async (ctx: TransactionCtx, review: Review): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of reportPieces(ctx, review, async () => undefined)) hash.update(piece)
  return hash.digest('hex')
}

/** Closes a locked review, with the record that seals its report. */
const close = async (ctx: TransactionCtx, id: number): Promise<Review> => {
  const { db, tenantId } = ctx
  const closed = shownReview(await store.updateClosed(db, tenantId, id))
  const sha256 = await reportHash(ctx, closed)
  store.updateReportHash(db, tenantId, id, sha256)
  record(ctx, {
    action: 'review.close',
    resourceId: id,
    detail: {
      ...naming({ name: closed.name }),
      ...changesBetween({}, { closed_at: closed.closed_at, counts: closed.counts, report_sha256: sha256 }),
    },
  })
  return { ...closed, report_sha256: sha256 }
}

/** Closes a review before its time. What is undecided stays. */
export const closeReview = (ctx: Ctx, id: number): Promise<Review> =>
  inTransaction(ctx, async (ctx) => {
    const found = await store.selectReviewForUpdate(ctx.db, ctx.tenantId, id)
    if (!found) throw reviewUnknown()
    requireFullSession(ctx.actor)
    if (found.status === 'closed') throw new AppError('reviewClosed', 'The review is closed already')
    return close(ctx, id)
  })

const closeDue = (ctx: Ctx, id: number): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const found = await store.selectReviewForUpdate(ctx.db, ctx.tenantId, id)
    if (found?.status === 'closed' && found.report_sha256 === '') await close(ctx, id)
  })

/** The most reviews of a round. */
const roundMax = 100

/**
 * Closes reviews that are due. Several processes can run it at once. Resolves with the milliseconds until the next one
 * is due; undefined if there is none.
 */
export const closeDueReviews = async (ctx: Ctx): Promise<number | undefined> => {
  const { store: database } = ctx.parts
  const due = await database.transaction({}, (db) => store.selectDueReviews(db, roundMax), 'tenantry_search')
  await forEachDue(ctx, due, closeDue)
  const { ms } = await database.transaction({}, store.selectNextDue, 'tenantry_search')
  return ms ?? undefined
}
