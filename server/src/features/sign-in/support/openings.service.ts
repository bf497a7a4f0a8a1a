/** A support session in a product: a code for its server, and the session that the server gets for it. */
import { randomUUID } from 'node:crypto'
import type { Support } from '../../../access/actor.ts'
import { mayUse } from '../../../access/application-use.ts'
import { isOwnUser, requireFullSession } from '../../../access/policies.ts'
import { readSupport } from '../../../access/support.ts'
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { challengeOf } from '../../../crypto/pkce.ts'
import { newTenantToken, readTenantToken } from '../../../crypto/tenant-tokens.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { codesHeldBy } from '../../../access/authority.ts'
import { naming, record, recordAs } from '../../audit/audit/audit.service.ts'
import * as openings from './openings.store.ts'
import { supportRefused } from './rules.service.ts'
import type { OpenProduct, OpenedProduct } from './support.schemas.ts'
import { inTenantOfSupport, statusWrong, supportUnknown } from './support.service.ts'
import * as store from './support.store.ts'
import { readActive } from './tokens.service.ts'

/** The most openings of a support session. */
const openingsMax = 100

/** Throws 404 for anybody but the actor, and 409 unless the support session is active in this session of the actor. */
const requireInside = async (ctx: TransactionCtx, id: string): Promise<store.SupportFacts> => {
  const { actor, db, tenantId } = ctx
  const facts = await store.selectFactsForUpdate(db, tenantId, id)
  const isOfActor = facts && isOwnUser(actor, { tenant_id: facts.actor_tenant_id, user_id: facts.actor.id })
  if (!facts || !isOfActor) throw supportUnknown()
  requireFullSession(actor)
  if (facts.status !== 'active' || facts.session_id !== actor.credential?.id) throw statusWrong(facts.status)
  if (!(await readActive(ctx, id, facts.user.id))) throw statusWrong('over')
  return facts
}

const requireApplication = async (
  ctx: TransactionCtx,
  userId: number,
  named: number | string,
): Promise<openings.SupportedApplication> => {
  const application = await openings.selectSupportedApplication(ctx.db, ctx.tenantId, named)
  if (!application) {
    throw new AppError(
      'applicationUnknown',
      'There is no application with this id that takes support sessions',
    )
  }
  if (mayUse(application, await codesHeldBy(ctx, userId))) return application
  throw supportRefused('The user may not use this application')
}

/** Opens a product in an active support session of the caller. Returns the address with a code for its server. */
export const openProduct = async (outer: Ctx, id: string, input: OpenProduct): Promise<OpenedProduct> =>
  inTransaction(await inTenantOfSupport(outer, id), async (ctx) => {
    const { db, tenantId, parts } = ctx
    const facts = await requireInside(ctx, id)
    const application = await requireApplication(ctx, facts.user.id, input.application_id)
    if ((await openings.countOpenings(db, tenantId, id)).count >= openingsMax) {
      throw new AppError('tooManyRequests', `A support session opens ${openingsMax} products at most`, {
        retryAfterSeconds: 3600,
      })
    }
    const code = newTenantToken(tenantId)
    openings.insertOpening(db, {
      tenantId,
      id: randomUUID(),
      supportId: id,
      applicationId: application.id,
      codeHash: sha256(code),
      codeChallenge: input.code_challenge,
    })
    record(ctx, {
      action: 'support.open',
      resourceId: id,
      aboutUserId: facts.user.id,
      detail: naming({ username: facts.user.name, application: application.name }),
    })
    const url = new URL(application.support_uri)
    url.searchParams.set('code', code)
    url.searchParams.set('iss', parts.config.issuer)
    return { redirect_to: url.href }
  })

export interface OpenedSession extends Pick<
  openings.CodeRow,
  'user_id' | 'kind' | 'ends_at' | 'amr' | 'auth_time' | 'connection_id' | 'support_id'
> {
  tenantId: string
  sessionId: string
  support: Support
}

export interface Exchange {
  code: string
  verifier: string
  applicationId: number
  /** Undefined: the request has a fault, so that the code is only used up. */
  granted: openings.Granted | undefined
}

const endReused = async (ctx: TransactionCtx, { id, user_id: userId, user_name }: openings.CodeRow) => {
  await openings.updateOpeningEnded(ctx.db, ctx.tenantId, id)
  ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId: id })
  recordAs(
    ctx,
    { userId: 0, username: '' },
    {
      action: 'application.code_reused',
      resourceId: id,
      aboutUserId: userId,
      detail: naming({ username: user_name }),
    },
  )
}

const isFitting = ({ code_challenge: challenge, is_past: isPast }: openings.CodeRow, verifier: string) =>
  !isPast && challengeOf(verifier) === challenge

/** Opens the session in the transaction that uses the code up. Undefined if the code or the support session is over. */
const openSession = async (
  ctx: TransactionCtx,
  found: openings.CodeRow,
  { verifier, granted }: Exchange,
): Promise<OpenedSession | undefined> => {
  const { db, tenantId, parts } = ctx
  const { id, support_id: supportId, user_id: userId } = found
  if (!granted || !isFitting(found, verifier)) {
    await openings.updateOpeningEnded(db, tenantId, id)
    return undefined
  }
  openings.updateOpened(db, { tenantId, id }, granted)
  const credential = { kind: 'support', id: supportId, openingId: id } as const
  const actor = await readSupport(parts, db, { tenantId, userId, credential })
  if (actor?.support) return { ...found, tenantId, sessionId: id, support: actor.support }
  await openings.updateOpeningEnded(db, tenantId, id)
  return undefined
}

/**
 * Exchanges the code of an application. Undefined for a code that is unknown, used, past or of another application, or whose
 * support session is over. A failed exchange uses the code up; a second one ends the session of the first.
 */
export const redeemSupportCode = async (ctx: Ctx, exchange: Exchange): Promise<OpenedSession | undefined> => {
  const read = readTenantToken(exchange.code)
  if (!read) return undefined
  const { tenantId, tokenHash: codeHash } = read
  return inTransaction(inTenant(ctx, tenantId), async (ctx) => {
    const { applicationId } = exchange
    const found = await openings.selectCodeForUpdate(ctx.db, { tenantId, codeHash, applicationId })
    if (!found) return undefined
    if (!found.is_used) return openSession(ctx, found, exchange)
    await endReused(ctx, found)
    return undefined
  }).catch((err: unknown) => {
    if (err instanceof AppError && err.status === 404) return undefined
    throw err
  })
}

/** Ends the session of an application that a support session opened. Ignores any other id. */
export const endOpening = async (
  ctx: TransactionCtx,
  { sessionId, userId, applicationId }: { sessionId: string; userId: number; applicationId: number },
): Promise<void> => {
  const { db, tenantId } = ctx
  if (!(await openings.selectOpeningOf(db, tenantId, sessionId, applicationId))) return
  await openings.updateOpeningEnded(db, tenantId, sessionId)
  ctx.changes.push({ kind: 'user', tenantId, userId, sessionId })
}
