/** Support sessions: lists, questions and ends (docs/contract.md, "Support sessions"). */
import { randomUUID } from 'node:crypto'
import { isOwnUser, may, policies, requireAllowed, requireFullSession } from '../../../access/policies.ts'
import {
  changingAuthority,
  codesHeldBy,
  requireRankOverUser,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import { resolveSupport } from '../../../access/support.ts'
import { isBuiltIn } from '../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import {
  endSupport,
  endSupportElsewhere,
  type EndedBy,
} from '../../accounts/sessions/support-ends.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { notifyOfQuestion } from './notices.service.ts'
import { isRanked, requireSupportable, rulesOf, supportRefused } from './rules.service.ts'
import type { OneSupportQuery, RequestSupport, SupportQuery, SupportSession } from './support.schemas.ts'
import * as store from './support.store.ts'

export const supportUnknown = () =>
  new AppError('supportUnknown', 'There is no support session with this id in this tenant')

/** The parts that the API shows. */
const shownSupport = ({
  actor_tenant_id: _tenant,
  actor_account_id: _actorAccount,
  account_id: _account,
  session_id: _session,
  is_open: _open,
  ends_time: _end,
  ...shown
}: store.SupportFacts): SupportSession => shown

/**
 * Puts the tenant of a support session in scope: the present one, or the one in which the caller asked for it. Throws 404
 * if there is none.
 */
export const inTenantOfSupport = async (ctx: Ctx, id: string): Promise<Ctx> => {
  if (await store.selectFacts(ctx.db, ctx.tenantId, id)) return ctx
  const { accountId } = ctx.actor
  if (accountId === undefined) throw supportUnknown()
  const own = await store.selectTenantOfOwn(ctx.parts.store.scoped({ accountId }), accountId, id)
  if (!own || !may(ctx.actor, policies.enterTenant, own.tenant_id)) throw supportUnknown()
  return inTenant(ctx, own.tenant_id)
}

/** The session as it counts now: its end by a lost right counts before maintenance has recorded it. */
const present = async ({ parts }: Ctx, session: SupportSession): Promise<SupportSession> => {
  if (session.status !== 'active') return session
  const { tenant_id: tenantId, id, user } = session
  const caller = { tenantId, userId: user.id, credential: { kind: 'support', id } } as const
  return (await resolveSupport(parts, caller))
    ? session
    : { ...session, status: 'over', ended_by: 'authority' }
}

/** A support session. Callers need `support:allow` or `audit:read`, except for those that they take part in. */
export const getSupport = async (
  outer: Ctx,
  id: string,
  { include }: OneSupportQuery,
): Promise<SupportSession> => {
  const { db, tenantId, actor } = await inTenantOfSupport(outer, id)
  const facts = await store.selectFacts(db, tenantId, id)
  if (!facts) throw supportUnknown()
  if (!may(actor, policies.endSupport, facts) && !may(actor, policies.readSupport, facts)) {
    requireAllowed(actor, 'support:allow')
  }
  const shown = await present(outer, shownSupport(facts))
  if (include === undefined) return shown
  return { ...shown, requests: await store.selectRequests(db, tenantId, id, requestsMax) }
}

/** The most endpoints of an answer. */
const requestsMax = 200

const requireListing = ({ actor, tenantId }: Ctx, userId: number | undefined): void => {
  if (userId !== undefined && isOwnUser(actor, { tenant_id: tenantId, user_id: userId })) return
  if (!may(actor, policies.receiveRecords, undefined)) requireAllowed(actor, 'support:allow')
}

/** Support sessions of the tenant in scope, or those that the caller asked for in every tenant, newest first. */
export const listSupport = async (ctx: Ctx, query: SupportQuery): Promise<CountedPage<SupportSession>> => {
  const { actor, parts } = ctx
  const { user_id: userId, status } = query
  const { accountId = 0 } = actor
  if (!query.mine) requireListing(ctx, userId)
  const of = query.mine
    ? { actorTenantId: actor.tenantId, actorId: actor.userId, accountId }
    : { tenantId: ctx.tenantId }
  const db = query.mine ? parts.store.scoped({ accountId }) : ctx.db
  const [items, { count }] = await Promise.all([
    store.selectSupports(db, { of, userId, status }, sliceOf(query)),
    store.countSupports(db, { of, userId, status }, totalMax),
  ])
  const shown = await Promise.all(items.map((item) => present(ctx, item)))
  return pageOf(shown, count, query.page, true)
}

/** The most that a session may use of what the user holds. */
const setOf = (codes: string[], kind: RequestSupport['kind']): string[] =>
  codes
    .filter((code) => {
      if (code.endsWith(':read')) return true
      return kind === 'act' && (!isBuiltIn(code) || code === 'setting:update' || code === 'setting:delete')
    })
    .toSorted()

const waitingOfActorMax = 20
const waitingOfUserMax = 3

const tooMany = (message: string) => new AppError('tooManyRequests', message, { retryAfterSeconds: 3600 })

/** Throws 429 beyond the limits of waiting questions, and within an hour after a refusal. */
const requireRoom = async (ctx: TransactionCtx, userId: number, accountId: number): Promise<void> => {
  const { db, tenantId } = ctx
  const [ofActor, ofUser] = await Promise.all([
    store.countWaitingOfActor(db, accountId),
    store.countWaitingOfUser(db, { tenantId, userId, actorAccountId: accountId }),
  ])
  if (ofUser.is_refused) throw tooMany('You were refused less than an hour ago. Talk to the user first')
  if (ofActor.count >= waitingOfActorMax) throw tooMany(`${waitingOfActorMax} of your questions wait already`)
  if (ofUser.count >= waitingOfUserMax) {
    throw tooMany(`${waitingOfUserMax} questions to this user wait already`)
  }
}

/** Throws 403 unless the actor may ask. Returns whether the session is ready without a question. */
const decideRequest = async (
  ctx: AuthorityCtx,
  user: { id: number; account_id: number; status: number },
  codes: string[],
): Promise<boolean> => {
  const { actor, tenantId } = ctx
  await requireSupportable(ctx, user, codes)
  const mode = await rulesOf(ctx, actor.tenantId)
  if (mode === 'off') throw supportRefused('This tenant has switched this kind of support off')
  if (actor.tenantId === tenantId) requireRankOverUser(ctx, user.id, codes)
  return mode === 'allowed' && isRanked(actor, codes)
}

/**
 * Asks to work as a user of the tenant in scope. Throws 403 as `decideRequest` does and without the permission of the
 * kind, 404 for an unknown user, and 429 beyond the limits.
 */
export const requestSupport = (outer: Ctx, input: RequestSupport): Promise<SupportSession> =>
  changingAuthority(
    outer,
    async (ctx) => ({
      ...(await lockUserWithCodes(ctx, input.user_id)),
      held: await codesHeldBy(ctx, input.user_id),
    }),
    async (ctx, { user, codes, held }) => {
      const { actor, db, tenantId } = ctx
      requireFullSession(actor)
      requireAllowed(actor, `support:${input.kind}`)
      const isReady = await decideRequest(ctx, user, codes)
      const { accountId = 0 } = actor
      store.lockAccount(db, accountId)
      if (!isReady) await requireRoom(ctx, user.id, accountId)
      const id = randomUUID()
      const { kind, reason, minutes } = input
      const status = isReady ? 'ready' : 'waiting'
      store.insertSupport(db, {
        tenantId,
        id,
        user: { id: user.id, name: user.username, accountId: user.account_id },
        actor: { tenantId: actor.tenantId, id: actor.userId, name: actor.name, accountId },
        kind,
        reason,
        minutes,
        status,
        permissions: setOf(held, kind),
      })
      record(ctx, {
        action: 'support.request',
        resourceId: id,
        aboutUserId: user.id,
        detail: {
          ...naming({ username: user.username }),
          ...changesBetween({}, { kind, reason, minutes, status }),
        },
      })
      if (!isReady) await notifyOfQuestion(ctx, user.id, reason)
      return getWithin(ctx, id)
    },
  )

/** A support session that the transaction has written. */
export const getWithin = async ({ db, tenantId }: TransactionCtx, id: string): Promise<SupportSession> => {
  const facts = await store.selectFacts(db, tenantId, id)
  if (!facts) throw new Error('a support session of this transaction was not found')
  return shownSupport(facts)
}

export const statusWrong = (status: string) =>
  new AppError('supportStatusWrong', `The support session is ${status}`)

const sideOf = ({ actor, tenantId }: TransactionCtx, facts: store.SupportFacts): EndedBy => {
  if (isOwnUser(actor, { tenant_id: tenantId, user_id: facts.user.id })) return 'user'
  const { actor: asking, actor_tenant_id: home } = facts
  return isOwnUser(actor, { tenant_id: home, user_id: asking.id }) ? 'actor' : 'tenant'
}

const openStatuses: readonly string[] = ['waiting', 'ready', 'active']

/**
 * Ends a support session, or takes its question back. The two people need no permission, others `support:allow`. The
 * user's person may do it in a session in another tenant. Throws 404 for an unknown one, and 409 if it is over.
 */
export const endSupportSession = async (outer: Ctx, id: string): Promise<null> => {
  const elsewhere = await inTransaction(outer, (ctx) => endSupportElsewhere(ctx, id, openStatuses))
  if (!elsewhere) return endHere(outer, id)
  if (!elsewhere.isEnded) throw statusWrong(elsewhere.status)
  return null
}

const endHere = async (outer: Ctx, id: string): Promise<null> =>
  inTransaction(await inTenantOfSupport(outer, id), async (ctx) => {
    const facts = await store.selectFactsForUpdate(ctx.db, ctx.tenantId, id)
    if (!facts) throw supportUnknown()
    if (!may(ctx.actor, policies.endSupport, facts)) requireAllowed(ctx.actor, 'support:allow')
    if (!openStatuses.includes(facts.status)) throw statusWrong(facts.status)
    await endSupport(ctx, id, sideOf(ctx, facts))
    return null
  })
