/** Decisions of reviewers. */
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import type { Actor } from '../../../access/actor.ts'
import { isOwnUser, requireFullSession } from '../../../access/policies.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { inOneTransaction } from '../../../rehearsal.ts'
import { changesBetween, naming, recordEach, type AuditEntry } from '../../audit/audit/audit.service.ts'
import * as itemStore from './items.store.ts'
import { isRefusal, outcomeOfRefusal, revoke } from './revocation.service.ts'
import { nameElsewhere, requireOwnReview, requireReviewer, reviewUnknown } from './reviews.service.ts'
import type { Decide, DecidedItem, Outcome } from './reviews.schemas.ts'
import * as store from './reviews.store.ts'

interface Wish {
  decision: Decide['decision']
  comment: string
  /** The error that refused the revocation in an earlier transaction, which was rolled back. */
  refusal?: AppError
}

/** Items with these outcomes take another decision. */
const undecided: ReadonlySet<Outcome> = new Set(['pending', 'changed', 'refused'])

/** True for an item about the caller's own person, who can have joined again as another user. */
const isOwnItem = (actor: Actor, tenantId: string, item: itemStore.StoredItem): boolean =>
  isOwnUser(actor, { tenant_id: tenantId, user_id: item.subject_id }) ||
  (item.subject_account !== null && item.subject_account === actor.accountId)

const requireOthers = ({ actor, tenantId }: Ctx, items: itemStore.StoredItem[]): void => {
  if (!items.some((item) => isOwnItem(actor, tenantId, item))) return
  throw new AppError('ownItem', 'Nobody decides about themselves: leave your own items to another reviewer')
}

const selectAll = async (ctx: Pick<Ctx, 'db' | 'tenantId'>, reviewId: number, ids: number[]) => {
  const items = await itemStore.selectItemsByIds(ctx.db, ctx.tenantId, reviewId, ids)
  if (items.length === ids.length) return items.toSorted((one, other) => one.id - other.id)
  throw new AppError('reviewItemUnknown', 'The review has no item with one of these ids')
}

/** The key by which an item finds its object: an assignment that was given anew has another id. */
const keyOf = ({ kind, source, subject_id, what_id }: itemStore.StoredItem | itemStore.PresentItem): string =>
  `${kind} ${source === 'eligible'} ${subject_id} ${what_id}`

/** A consent or key is found by its own id, because a user can have several for one application. */
const isObjectOf = (item: itemStore.StoredItem, found: itemStore.PresentItem): boolean =>
  keyOf(item) === keyOf(found) && (item.kind === 'roles' || item.object_id === found.object_id)

/** The outcome of a decision, before a revocation is tried. */
const outcomeOf = (
  { actor }: Ctx,
  item: itemStore.StoredItem,
  found: itemStore.PresentItem | undefined,
  { decision, refusal }: Wish,
): Outcome => {
  if (!found) return 'gone'
  const knowsState = item.told.length === 0 || item.told.includes(actor.userId)
  if (found.state !== item.state || !knowsState) return 'changed'
  if (decision === 'keep') return 'kept'
  if (found.source === 'sso') return 'directory'
  return refusal ? outcomeOfRefusal(refusal) : 'revoked'
}

/** An item with its new outcome. */
interface Settled {
  item: itemStore.StoredItem
  found: itemStore.PresentItem | undefined
  outcome: Outcome
}

/** Asks about an item anew: it gets the present state, which each reviewer is told of once. */
const askAnew = async (ctx: AuthorityCtx, reviewId: number, { item, found }: Settled): Promise<void> => {
  if (!found) return
  const told = [...(found.state === item.state ? item.told : []), ctx.actor.userId]
  const giver = await nameElsewhere(ctx, found.given_by, found.given_by_tenant)
  const at = { tenantId: ctx.tenantId, reviewId, id: item.id }
  itemStore.updateSnapshot(ctx.db, at, { row: found.row, told, giver })
}

const write = async (
  ctx: AuthorityCtx,
  reviewId: number,
  settled: Settled,
  { decision, comment }: Wish,
): Promise<void> => {
  const { item, outcome } = settled
  if (outcome === 'changed') return askAnew(ctx, reviewId, settled)
  const by = { id: ctx.actor.userId, name: ctx.actor.name }
  itemStore.updateDecided(
    ctx.db,
    { tenantId: ctx.tenantId, reviewId },
    { id: item.id, outcome, decision, comment, by },
  )
}

const entryOf = (review: store.ReviewRow, { item, outcome }: Settled, wish: Wish): AuditEntry => {
  const { id, kind, source, subject_name: subject, what_name: what } = item
  const before = { outcome: item.outcome, decision: item.decision || undefined }
  const refusal = wish.refusal?.code
  const after = { outcome, decision: wish.decision, comment: wish.comment || undefined, refusal }
  return {
    action: 'review.decide',
    resourceId: review.id,
    ...(kind === 'keys' ? {} : { aboutUserId: item.subject_id }),
    detail: {
      ...naming({ name: review.name, kind, source, subject, what }),
      ...changesBetween({ item_id: undefined, ...before }, { item_id: id, ...after }),
    },
  }
}

const tallyOf = (tally: store.Tally, settled: Settled[]): store.Tally => {
  const counts = { ...tally }
  for (const { item, outcome } of settled) {
    counts[item.outcome] = (counts[item.outcome] ?? 0) - 1
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** Writes the outcomes, with a record for each, and the counts. */
const settle = async (
  ctx: AuthorityCtx,
  review: store.ReviewRow,
  settled: Settled[],
  wish: Wish,
): Promise<void> => {
  if (settled.length === 0) return
  for (const one of settled) await write(ctx, review.id, one, wish)
  store.updateCounts(ctx.db, ctx.tenantId, review.id, tallyOf(review.counts, settled))
  recordEach(
    ctx,
    settled.map((one) => entryOf(review, one, wish)),
  )
}

const reviewClosed = () => new AppError('reviewClosed', 'The review is closed, and takes no decisions')

/** An error of a revocation, which its transaction carries out. */
interface Met {
  refusal?: unknown
}

const revokeAll = async (ctx: AuthorityCtx, settled: Settled[], met: Met): Promise<void> => {
  for (const { item, outcome } of settled) {
    if (outcome !== 'revoked') continue
    await revoke(ctx, item).catch((err: unknown) => {
      met.refusal = err
      throw err
    })
  }
}

/**
 * Decides about items in one transaction, behind the locks of authority and review: of two decisions at once the first
 * one counts. Items that are decided already keep their outcome.
 */
const decideWithin = (
  ctx: Ctx,
  reviewId: number,
  { ids, wish, met }: { ids: number[]; wish: Wish; met: Met },
): Promise<DecidedItem[]> =>
  changingAuthority(
    ctx,
    ({ db, tenantId }) => store.selectReviewForUpdate(db, tenantId, reviewId),
    async (ctx, review) => {
      if (!review) throw reviewUnknown()
      requireReviewer(ctx, review)
      requireFullSession(ctx.actor)
      if (review.status === 'closed') throw reviewClosed()
      const items = await selectAll(ctx, reviewId, ids)
      requireOthers(ctx, items)
      const open = items.filter(({ outcome }) => undecided.has(outcome))
      const present = await itemStore.selectPresent(ctx.db, ctx.tenantId, open)
      const settled = open.map((item): Settled => {
        const found = present.find((one) => isObjectOf(item, one))
        return { item, found, outcome: outcomeOf(ctx, item, found, wish) }
      })
      await settle(ctx, review, settled, wish)
      await revokeAll(ctx, settled, met)
      const outcomes = new Map(settled.map(({ item, outcome }) => [item.id, outcome]))
      return items.map(({ id, outcome }) => ({ id, outcome: outcomes.get(id) ?? outcome }))
    },
  )

/** Decides in a transaction of its own. Notes a refused revocation in a second one, because the first is rolled back. */
const decideSome = async (ctx: Ctx, reviewId: number, ids: number[], wish: Wish): Promise<DecidedItem[]> => {
  const met: Met = {}
  const attempt = (tried: Wish) =>
    inOneTransaction(ctx, (ctx) => decideWithin(ctx, reviewId, { ids, wish: tried, met }))
  try {
    return await attempt(wish)
  } catch (err) {
    if (!(err instanceof AppError) || err !== met.refusal || !isRefusal(err)) throw err
    return attempt({ ...wish, refusal: err })
  }
}

/**
 * Keeps or revokes what items are about. Each revocation is a transaction of its own, with its outcome and records.
 * Throws 403 for an item about the caller's own person, before anything changes.
 */
export const decide = async (
  ctx: Ctx,
  reviewId: number,
  { item_ids, decision, comment = '' }: Decide,
): Promise<DecidedItem[]> => {
  const ids = item_ids.toSorted((one, other) => one - other)
  await requireOwnReview(ctx, reviewId)
  requireOthers(ctx, await selectAll(ctx, reviewId, ids))
  const wish = { decision, comment }
  if (decision === 'keep') return decideSome(ctx, reviewId, ids, wish)
  const decided: DecidedItem[] = []
  for (const id of ids) decided.push(...(await decideSome(ctx, reviewId, [id], wish)))
  return decided
}
