/** Runs a request in a transaction that is rolled back, and finds what it would do. */
import { findDemand, type Demand } from '../../../access/approval-wall.ts'
import type { ApprovalPolicy, Effect, GatheredRequest, Gathering } from '../../../access/operations.ts'
import { selectTenantInScope } from '../../../access/tenancy.store.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, errorCodes } from '../../../errors/app-error.ts'
import { inOneSession, rollingBack } from '../../../rehearsal.ts'
import type { ApprovedChange } from './approvals.schemas.ts'
import { changeOf, digestOf } from './changes.service.ts'
import { maskBody } from './masked-body.service.ts'

/** Sends a request again, in the transaction of a context. Throws its refusal. */
export type Replay = (ctx: Ctx, request: GatheredRequest) => Promise<unknown>

/** Callers with a running rehearsal in this process. */
export type RunningRehearsals = Set<string>

/** The time limit, because a rehearsal holds the locks of its change. */
const rehearsalMs = 5_000

export const newGathering = ({ tenantId }: Ctx): Gathering => ({
  tenantId,
  effects: [],
  needed: new Set(),
  approval: undefined,
  request: undefined,
})

/** The policies of the tenant in scope, as they are before a change. */
export const readPolicies = async ({ db, tenantId }: Ctx): Promise<ApprovalPolicy[]> =>
  (await selectTenantInScope(db, tenantId))?.policies ?? []

/** The effects that operations name, in the tenant whose policies decide. */
const namedEffects = ({ effects, tenantId }: Gathering): Effect[] =>
  effects.filter((effect) => effect.tenantId === tenantId && effect.operations.length > 0)

/** A change that a request made, or would make. */
export interface Found {
  demand: Demand | undefined
  request: GatheredRequest
  change: ApprovedChange
  digest: Buffer
  /** The users whom the change concerns. */
  concerned: number[]
}

const concernedBy = (effects: Effect[]): number[] => [
  ...new Set(
    effects.flatMap(({ aboutUserId, resourceId, operations }) => {
      if (aboutUserId !== null) return [aboutUserId]
      // Records of factors have the id of their user.
      return operations.includes('user.recover') ? [Number(resourceId)] : []
    }),
  ),
]

export const unasked = () =>
  new AppError('approvalUnasked', 'No policy of this tenant asks for approvals of this request')

/** Finds what a request did, in its transaction. */
export const findChange = async (
  ctx: Ctx,
  policies: ApprovalPolicy[],
  gathering: Gathering,
): Promise<Found> => {
  const { request } = gathering
  if (!request) throw unasked()
  const effects = namedEffects(gathering)
  const masked = { ...request, body: maskBody(ctx, request.body, effects) }
  const change = changeOf(masked, effects)
  const requester = { id: ctx.actor.userId, tenantId: ctx.actor.tenantId }
  return {
    demand: await findDemand(ctx, policies, effects),
    request: masked,
    change,
    digest: digestOf({ requester, request: masked, change }),
    concerned: concernedBy(effects),
  }
}

const callerKey = ({ actor }: Ctx): string => `${actor.tenantId} ${actor.userId}`

const tookTooLong = () =>
  new AppError(
    'overloaded',
    'The rehearsal of this change takes longer than 5 seconds. Change less at once',
    {
      retryAfterSeconds: 1,
    },
  )

/** Runs one rehearsal of the caller at a time. */
export const oneAtATime = async <T>(
  ctx: Ctx,
  running: RunningRehearsals,
  work: () => Promise<T>,
): Promise<T> => {
  const caller = callerKey(ctx)
  if (running.has(caller)) {
    throw new AppError('tooManyRequests', 'Another rehearsal of yours is running. Wait for its answer', {
      retryAfterSeconds: 1,
    })
  }
  running.add(caller)
  return work().finally(() => running.delete(caller))
}

/** The codes with which paths answer that are no change of a signed-in caller. */
const foreignCodes: ReadonlySet<number> = new Set([
  errorCodes.malformedRequest,
  errorCodes.routeUnknown,
  errorCodes.methodNotAllowed,
])

const orNotApprovable = (err: unknown): never => {
  throw err instanceof AppError && foreignCodes.has(err.code)
    ? new AppError(
        'approvalUnasked',
        'This is no request that approvals are asked for: name an endpoint that changes something',
      )
    : err
}

/** Looks at a rehearsal: `before` its change, and behind it, with the answer. */
export interface Look<T> {
  before?: (ctx: Ctx) => Promise<unknown>
  find: (ctx: Ctx, policies: ApprovalPolicy[], gathering: Gathering, data: unknown) => Promise<T>
}

/** Makes the change of a request as the caller's, rolls it back, and returns what `find` finds of it. Throws its refusal. */
export const rehearseRequest = <T>(
  ctx: Ctx,
  replay: Replay,
  request: GatheredRequest,
  { before, find }: Look<T>,
): Promise<T> => {
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => undefined)
  const timer = setTimeout(() => late.reject(tookTooLong()), rehearsalMs)
  const rehearsal = rollingBack<Ctx, T>(
    (doomed) => inOneSession(ctx, doomed),
    async (within) => {
      const policies = await readPolicies(within)
      const gathering = newGathering(within)
      await before?.(within)
      const sent = replay({ ...within, gathering }, request).catch(orNotApprovable)
      const data = await Promise.race([late.promise, sent])
      return find(within, policies, gathering, data)
    },
  )
  return Promise.race([late.promise, rehearsal]).finally(() => clearTimeout(timer))
}
