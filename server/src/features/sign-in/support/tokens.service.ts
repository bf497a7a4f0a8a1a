/** The start of a support session, and its tokens. */
import type { Actor } from '../../../access/actor.ts'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { isOwnUser, requireAllowed, requireFullSession } from '../../../access/policies.ts'
import { readSupport } from '../../../access/support.ts'
import { lockTenantAgainstRemoval } from '../../../access/tenancy.store.ts'
import { inTenantWithin, tokenInvalid, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { endLapsedSupport } from '../../accounts/sessions/support-ends.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { notifyOfStart } from './notices.service.ts'
import { requireStartable, supportRefused } from './rules.service.ts'
import { inTenantOfSupport, statusWrong, supportUnknown } from './support.service.ts'
import type { SupportToken } from './support.schemas.ts'
import * as store from './support.store.ts'

/** Reads an active support session of the tenant in scope as its tokens are read. Undefined if anything has ended it. */
export const readActive = (ctx: TransactionCtx, id: string, userId: number): Promise<Actor | undefined> =>
  readSupport(ctx.parts, ctx.db, { tenantId: ctx.tenantId, userId, credential: { kind: 'support', id } })

/** Ends an active support session that does not count any more. Returns whether it continues. */
export const isContinuing = async (ctx: TransactionCtx, id: string, userId: number): Promise<boolean> => {
  if (await readActive(ctx, id, userId)) return true
  await endLapsedSupport(ctx, id)
  return false
}

/** Throws 409 if the actor is in another support session, in any tenant. */
const requireNoOther = async (ctx: TransactionCtx, accountId: number, id: string): Promise<void> => {
  for (const other of await store.selectOthersActive(ctx.db, accountId, id)) {
    const continues = await inTenantWithin(ctx, other.tenant_id, async (ctx) => {
      if (!(await lockTenantAgainstRemoval(ctx.db, other.tenant_id))) return false
      return isContinuing(ctx, other.id, other.user_id)
    })
    if (continues) throw new AppError('supportActive', 'You are in another support session. End it first')
  }
}

type Found = { facts: store.SupportFacts } & Awaited<ReturnType<typeof lockUserWithCodes>>

const proofsOf = (ctx: TransactionCtx, sessionId: string) =>
  inTenantWithin(ctx, ctx.actor.tenantId, ({ db, tenantId }) => store.selectProofs(db, tenantId, sessionId))

const start = async (ctx: AuthorityCtx, { facts, user, codes }: Found): Promise<Date> => {
  const { actor, db, tenantId, origin } = ctx
  const { id, kind, reason, minutes } = facts
  requireAllowed(actor, `support:${kind}`)
  await requireStartable(ctx, user, codes, facts)
  const { accountId = 0, credential: { id: sessionId } = { id: '' } } = actor
  store.lockAccount(db, accountId)
  await requireNoOther(ctx, accountId, id)
  const proofs = await proofsOf(ctx, sessionId)
  if (!proofs) throw tokenInvalid()
  const { amr, auth_time: authTime, connection_id: connectionId } = proofs
  const { ip, userAgent } = origin
  const place = { tenantId, id }
  const started = await store.updateStarted(db, place, {
    sessionId,
    amr,
    authTime,
    connectionId,
    ip,
    userAgent,
  })
  if (!(await readActive(ctx, id, user.id))) {
    throw supportRefused('This tenant does not accept the sign-in of your session')
  }
  record(ctx, {
    action: 'support.start',
    resourceId: id,
    aboutUserId: user.id,
    detail: { ...naming({ username: user.username }), ...changesBetween({}, { kind, reason, minutes }) },
  })
  await notifyOfStart(ctx, user.id, reason)
  return started.ends_time
}

/** The end of the session, for which the caller gets a token: it starts now, or hangs on the caller's session already. */
const startOrContinue = async (ctx: AuthorityCtx, found: Found): Promise<Date> => {
  const { facts, user } = found
  if (facts.status === 'ready') return start(ctx, found)
  const isOfThisSession = facts.session_id === ctx.actor.credential?.id
  if (facts.status !== 'active' || !isOfThisSession || !facts.ends_time) throw statusWrong(facts.status)
  if (!(await readActive(ctx, facts.id, user.id))) throw statusWrong('over')
  return facts.ends_time
}

const issue = async (ctx: AuthorityCtx, found: Found): Promise<SupportToken> => {
  const { facts } = found
  const { actor, tenantId, parts } = ctx
  const endsAt = await startOrContinue(ctx, found)
  const proofs = await proofsOf(ctx, actor.credential?.id ?? '')
  if (!proofs) throw tokenInvalid()
  const now = parts.now()
  const access_token = await parts.tokens.signSupport(
    {
      userId: facts.user.id,
      tenantId,
      sessionId: facts.id,
      actor: { userId: actor.userId, tenantId: actor.tenantId, name: actor.name },
      support: { id: facts.id, kind: facts.kind },
      amr: proofs.amr,
      authTime: proofs.auth_time,
      connectionId: proofs.connection_id ?? undefined,
      expiresAt: endsAt,
    },
    now,
  )
  return { access_token, expires_in: Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)) }
}

/**
 * A token of a support session, for its actor. The first one checks everything anew and starts the clock. Throws 404 for
 * anybody else, and 403 if a rule is broken meanwhile. Throws 409 unless the session is ready, or active in this session
 * of the actor.
 */
export const issueSupportToken = async (outer: Ctx, id: string): Promise<SupportToken> =>
  changingAuthority(
    await inTenantOfSupport(outer, id),
    async (ctx) => {
      const facts = await store.selectFactsForUpdate(ctx.db, ctx.tenantId, id)
      return facts && { facts, ...(await lockUserWithCodes(ctx, facts.user.id)) }
    },
    async (ctx, found) => {
      const { actor } = ctx
      if (!found) throw supportUnknown()
      const { actor_tenant_id: home, actor: asking } = found.facts
      if (!isOwnUser(actor, { tenant_id: home, user_id: asking.id })) throw supportUnknown()
      requireFullSession(actor)
      return issue(ctx, found)
    },
  )
