/** Evaluates flags for callers of the OpenFeature Remote Evaluation Protocol. */
import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Actor } from '../../../access/actor.ts'
import type { Ctx } from '../../../context.ts'
import { OfrepError } from '../../../errors/ofrep-error.ts'
import { faultOf, ofUser, trusted, type CallerContext } from './contexts.ts'
import type { KnownFlag, KnownFlags } from './known-flags.service.ts'
import type { EvaluationRequest } from './ofrep.schemas.ts'

const keyMissing = 'The rule that holds splits by targetingKey, and the context has none'
const unknown = 'There is no such flag'

/** The caller's effective context. Throws 400 for an invalid one. */
const contextFor = (actor: Actor, { context }: EvaluationRequest): CallerContext => {
  const fault = faultOf(context)
  if (fault !== undefined) throw new OfrepError('INVALID_CONTEXT', `The context ${fault}`)
  return actor.key ? trusted(context as object) : ofUser(actor, context as object)
}

/** Whether the caller may see a flag. Users see only flags for client programs. */
const isSeenBy = ({ key }: Actor, flag: KnownFlag): boolean => key !== undefined || flag.isClientSide

interface Evaluated {
  json: string
  /** The reason of the value, or the error code. */
  outcome: string
}

const evaluate = (flag: KnownFlag, { context, tenantId }: CallerContext): Evaluated => {
  const chosen = flag.choose(context, tenantId)
  if ('missing' in chosen) {
    const failure = { key: flag.key, errorCode: 'TARGETING_KEY_MISSING', errorDetails: keyMissing }
    return { json: JSON.stringify(failure), outcome: 'TARGETING_KEY_MISSING' }
  }
  return { json: `${flag.answers.get(chosen.variant) ?? ''}"${chosen.reason}"}`, outcome: chosen.reason }
}

const count = ({ metrics }: Ctx['parts'], outcome: string, by = 1): void =>
  metrics.flagEvaluations.inc({ outcome: outcome.toLowerCase() }, by)

/** Counts evaluations and protocol errors in the metrics. */
const counting = async <T>({ parts }: Ctx, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (err) {
    if (err instanceof OfrepError) count(parts, err.code)
    throw err
  }
}

/** The answer about one flag as JSON. Throws 400 and 404 by the protocol. */
export const evaluateFlag = (
  ctx: Ctx,
  flags: KnownFlags,
  key: string,
  request: EvaluationRequest,
): Promise<string> =>
  counting(ctx, async () => {
    const counted = contextFor(ctx.actor, request)
    const flag = (await flags.read()).byKey.get(key)
    if (!flag || !isSeenBy(ctx.actor, flag)) throw new OfrepError('FLAG_NOT_FOUND', unknown, 404)
    const { json, outcome } = evaluate(flag, counted)
    if (outcome === 'TARGETING_KEY_MISSING') throw new OfrepError(outcome, keyMissing)
    count(ctx.parts, outcome)
    return json
  })

/** The answer about all flags that the caller sees, with its ETag. */
export interface BulkAnswer {
  json: string
  etag: string
}

/** The ETag covers the context too: SDKs keep sending the ETag after a change of the context. */
const tagOf = (json: string, { text }: CallerContext): string =>
  `"${hash('sha256', `${text()}\n${json}`, 'base64url').slice(0, 27)}"`

/** Milliseconds of evaluation per turn of the event loop. */
const turnMs = 10

/**
 * Evaluates all flags that the caller sees. A flag that fails becomes an error entry. Throws 400 for an invalid
 * context.
 */
export const evaluateFlags = (ctx: Ctx, flags: KnownFlags, request: EvaluationRequest): Promise<BulkAnswer> =>
  counting(ctx, async () => {
    const counted = contextFor(ctx.actor, request)
    const outcomes = new Map<string, number>()
    const entries: string[] = []
    let since = performance.now()
    for (const flag of (await flags.read()).byKey.values()) {
      if (!isSeenBy(ctx.actor, flag)) continue
      if (performance.now() - since > turnMs) {
        await setImmediate()
        since = performance.now()
      }
      const { json, outcome } = evaluate(flag, counted)
      entries.push(json)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    for (const [outcome, times] of outcomes) count(ctx.parts, outcome, times)
    const json = `{"flags":[${entries.join(',')}]}`
    return { json, etag: tagOf(json, counted) }
  })
