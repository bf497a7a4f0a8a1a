/**
 * The steps of a request that a trace shows (tracing.ts beside this file). They are published on channels of Node, so that no step knows
 * of traces. A step that nobody listens to costs one comparison.
 */
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'

/** A channel on which a kind of step is published. */
export type Step<About extends object> = TracingChannel<About, unknown>

/** A flush to the database: the text of its statement, without values. */
export const statementStep: Step<{ text: string }> = tracingChannel('tenantry:statement')

/** A password hash, from its turn in the queue to its end. */
export const hashStep: Step<object> = tracingChannel('tenantry:hash')

/** A call to Redis by the name of its command, without keys and values. */
export const redisStep: Step<{ command: string }> = tracingChannel('tenantry:redis')

/** Runs `work`, and tells listeners of the step about its begin and end. `work` runs at once, in the same turn. */
export const follow = <About extends object, T>(
  step: Step<About>,
  about: () => About,
  work: () => Promise<T>,
): Promise<T> => (step.hasSubscribers ? step.tracePromise(work, about()) : work())
