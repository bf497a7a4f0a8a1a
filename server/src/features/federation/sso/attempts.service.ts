/** Tests and outcomes of a connection, and the removal of links. Administrators use them. */
import type { Ctx } from '../../../context.ts'
import { pageOf, sliceOf, type CountedPage, type PageQuery } from '../../../http/schemas.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { endSessionsByConnections } from '../../accounts/sessions/connection-ends.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import * as store from './attempts.store.ts'
import { getConnection } from './connections.service.ts'
import { requireGuestWrites } from './guests.service.ts'
import { notifyManagers } from './managers.service.ts'
import { changingSignIn } from './rank.service.ts'
import { refusals } from './reasons.ts'
import type { Attempt } from './sign-in.schemas.ts'
import { createTest } from './start.service.ts'

/** Creates the address of a test, which works once. */
export const beginTest = (ctx: Ctx, id: string): Promise<{ url: string }> =>
  changingSignIn(ctx, async (ctx) => {
    const { status } = await getConnection(ctx, id)
    requireGuestWrites(ctx.actor, status)
    return { url: await createTest(ctx, id) }
  })

const numberOf = ({ outcome, reason }: store.OutcomeRow): number =>
  outcome === 'refused' || outcome === 'test_failed' ? ((refusals as Record<string, number>)[reason] ?? 0) : 0

/** The last sign-ins by a connection, newest first. Guests see only their own tests. */
export const listAttempts = async (ctx: Ctx, id: string, query: PageQuery): Promise<CountedPage<Attempt>> => {
  await getConnection(ctx, id)
  const filter = { connectionId: id, testId: ctx.actor.guest?.linkId }
  const [rows, { count }] = await Promise.all([
    store.selectOutcomes(ctx.db, ctx.tenantId, filter, sliceOf(query)),
    store.countOutcomes(ctx.db, ctx.tenantId, filter),
  ])
  const attempts = rows.map((row) => ({ ...row, number: numberOf(row) }))
  return pageOf(attempts, count, query.page, false)
}

/** Unlinks a user from the tenant's providers, and ends the user's sessions that connections opened. */
export const unlinkUser = (ctx: Ctx, userId: number): Promise<null> =>
  changingSignIn(ctx, async (ctx) => {
    const { user } = await lockUserWithCodes(ctx, userId)
    const { username, account_id: accountId } = user
    const connections = await store.deleteLinks(ctx.db, ctx.tenantId, userId)
    if (connections.length === 0) return null
    await endSessionsByConnections(ctx, { userId, accountId })
    for (const { id, name } of connections) {
      record(ctx, {
        action: 'sso.unlink',
        resourceId: id,
        aboutUserId: userId,
        detail: naming({ username, connection: name }),
      })
    }
    await notifyManagers(ctx, 'userUnlinked', { username })
    return null
  })
