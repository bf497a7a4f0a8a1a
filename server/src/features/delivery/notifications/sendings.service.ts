/**
 * Broadcasts, which are sent in batches on the sender's request, and the list of the caller's sendings (decision 0103).
 */
import { inTransaction, type Ctx, type Parts, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { policies, requireMay } from '../../../access/policies.ts'
import { sweep } from '../../../db/sweep.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { getRole } from '../../accounts/roles/roles.service.ts'
import type { CreateBroadcast, Sending, SentQuery } from './sendings.schemas.ts'
import * as store from './sendings.store.ts'

/** Users per statement. A statement locks their rows for some ten milliseconds. */
const batchSize = 1000

const senderOf = ({ actor }: Ctx): store.Sender => ({ tenantId: actor.tenantId, id: actor.userId })

/** The caller's sendings in the tenant in scope, newest first. */
export const listSent = async (ctx: Ctx, query: SentQuery): Promise<CountedPage<Sending>> => {
  const slice = { ...sliceOf(query), beforeId: query.before_id }
  const [items, counted] = await Promise.all([
    store.selectSendings(ctx.db, ctx.tenantId, senderOf(ctx), slice),
    store.countSendings(ctx.db, ctx.tenantId, senderOf(ctx), totalMax),
  ])
  return pageOf(items, counted?.count ?? 0, query.page, true)
}

/** Adds a notification to one user to the list of the caller's sendings. */
export const keepSent = (
  ctx: TransactionCtx,
  { user_id: userId, ...sent }: Pick<Sending, 'user_id' | 'recipient' | 'title' | 'content' | 'type'>,
): Promise<Sending | undefined> => {
  const row = { ...sent, sender: senderOf(ctx), userId, roleId: null, total: 1, sent: 1, lastId: 0 }
  return store.insertSending(ctx.db, ctx.tenantId, row, ctx.parts.now())
}

/**
 * The role of a broadcast. For a broadcast to everyone, role 0 without a name. Throws 403 without `role:read`, because
 * the answer counts the role's holders.
 */
const roleOf = async (ctx: Ctx, roleId: number | undefined) => {
  if (roleId === undefined) return { id: 0, name: '' }
  requireMay(ctx.actor, policies.readRolesOfUsers, undefined)
  return getRole(ctx, roleId)
}

/** Creates a broadcast to the holders of a role, or to everyone. Nobody receives it before the first batch. */
export const createBroadcast = (ctx: Ctx, input: CreateBroadcast): Promise<Sending> =>
  inTransaction(ctx, async (ctx) => {
    const { title, content = '', type = 'info' } = input
    const role = await roleOf(ctx, input.role_id)
    const measured = await store.measureRecipients(ctx.db, ctx.tenantId, role.id)
    const { total, last_id: lastId } = measured
    const row = { recipient: role.name, title, content, type, total, sent: 0, lastId, userId: null }
    const sending = await store.insertSending(
      ctx.db,
      ctx.tenantId,
      { ...row, sender: senderOf(ctx), roleId: role.id || null },
      ctx.parts.now(),
    )
    record(ctx, {
      action: 'broadcast.create',
      resourceId: sending.id,
      detail: changesBetween({}, { title, type, role: role.name, total }),
    })
    return sending
  })

/** Notifies the next 1,000 users of one of the caller's broadcasts. Does nothing if all users have received it. */
export const sendBatch = (ctx: Ctx, id: number): Promise<Sending> =>
  inTransaction(ctx, async (ctx) => {
    const sending = await store.selectSendingForUpdate(ctx.db, ctx.tenantId, senderOf(ctx), id)
    if (!sending) throw new AppError('notificationUnknown', 'You have sent no such broadcast in this tenant')
    const { position, last_id: lastId, ...shown } = sending
    if (shown.is_done) return shown
    const batch = { sending, sender: ctx.actor.name, limit: batchSize }
    const notified = await store.insertBatch(ctx.db, ctx.tenantId, batch, ctx.parts.now())
    const ids = notified.map((one) => one.id)
    const range = { firstId: Math.min(...ids), lastId: Math.max(...ids) }
    if (ids.length > 0) ctx.changes.push({ kind: 'inbox', tenantId: ctx.tenantId, userId: 0, ...range })
    const reached =
      notified.length < batchSize ? lastId : Math.max(position, ...notified.map(({ user_id }) => user_id))
    const after = await store.updateSendingSent(ctx.db, ctx.tenantId, {
      id,
      position: reached,
      count: notified.length,
    })
    record(ctx, {
      action: 'broadcast.send',
      resourceId: id,
      detail: {
        ...naming({ title: after.title }),
        ...changesBetween({ sent: shown.sent }, { sent: after.sent }),
      },
    })
    return after
  })

/** Deletes sendings that are 180 days old, also unfinished ones. */
export const sweepSendings = ({ store: database }: Pick<Parts, 'store'>): Promise<void> =>
  sweep(database, store.oldSendings)
