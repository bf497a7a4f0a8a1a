/**
 * Steps of a request that a trace shows (tracing/tracing.ts). They are published on channels of Node, so that their
 * code does not depend on tracing. A step without listeners costs one comparison.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel, type TracingChannel } from 'node:diagnostics_channel'

export type StepChannel<About extends object> = TracingChannel<About, unknown>

/** A flush to the database: the text of its statement, without values. */
export const statementStep: StepChannel<{ text: string }> = tracingChannel('tenantry:statement')

/** A password hash. The step begins at the hash's turn in the queue. */
export const hashStep: StepChannel<object> = tracingChannel('tenantry:hash')

/** A call to Redis: the name of its command, without keys and values. */
export const redisStep: StepChannel<{ command: string }> = tracingChannel('tenantry:redis')

/** Runs `work` at once, and publishes the beginning and end of the step. */
export const follow = <About extends object, T>(
  step: StepChannel<About>,
  about: () => About,
  work: () => Promise<T>,
): Promise<T> => (step.hasSubscribers ? step.tracePromise(work, about()) : work())

/** Runs work that no request waits for. Its steps belong to no request's trace. */
export const inBackground: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
