/**
 * Traces by OpenTelemetry, loaded only with OTEL_EXPORTER_OTLP_ENDPOINT. Each request has a span, and each step
 * (traced-steps.ts) has one below it. Background work has no spans.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { ROOT_CONTEXT, trace, type Context, type Span, type Tracer } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { App } from '../http/app-type.ts'
import { parentOf } from '../http/trace.ts'
import { version } from '../version.ts'
import { openProvider, type TracingConfig } from './provider.ts'
import { addAnswer, addError, ofHash, ofRedis, ofRequest, ofStatement, type SpanStart } from './spans.ts'
import { hashStep, redisStep, statementStep, type StepChannel } from '../traced-steps.ts'

export interface Tracing {
  /**
   * Adds the hooks that trace each request. They must come before all other hooks, because a step of a hook needs the
   * request's span.
   */
  followRequests: (app: App) => void
  /** Ends tracing and exports the remaining spans. Never rejects. */
  close: () => Promise<void>
}

/** A span, and the clock of its request. The library's own clock rounds a span's start to a millisecond. */
interface TimedSpan {
  span: Span
  now: () => number
}

/** The span of the running code. */
const current = new AsyncLocalStorage<TimedSpan | undefined>()

/** The time of day now, and later times with the precision of the machine's clock. */
const startClock = (): (() => number) => {
  const origin = Date.now() - performance.now()
  return () => origin + performance.now()
}

/** Adds a span below the present one for each run of a step. Returns a function that stops it. */
const followStep = <About extends object>(
  tracer: Tracer,
  step: StepChannel<About>,
  open: (about: About) => SpanStart,
): (() => void) => {
  const spans = new WeakMap<object, TimedSpan>()
  const begin = (about: About): TimedSpan | undefined => {
    const parent = current.getStore()
    if (!parent) return undefined
    const { now } = parent
    const { name, ...options } = open(about)
    const context = trace.setSpan(ROOT_CONTEXT, parent.span)
    const timed = { span: tracer.startSpan(name, { ...options, startTime: now() }, context), now }
    spans.set(about, timed)
    return timed
  }
  const finish = (about: About): void => {
    const timed = spans.get(about)
    timed?.span.end(timed.now())
    spans.delete(about)
  }
  const fail = (about: About & { error: unknown }): void => {
    const timed = spans.get(about)
    if (timed) addError(timed.span, about.error)
    finish(about)
  }
  const listeners = { asyncEnd: finish, error: fail }
  step.start.bindStore(current, begin)
  step.subscribe(listeners)
  return () => {
    step.start.unbindStore(current)
    step.unsubscribe(listeners)
  }
}

/** The caller's span, if the request names it. */
const parentContext = (request: FastifyRequest): Context => {
  const parent = parentOf(request.raw)
  if (!parent) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: request.id, ...parent, isRemote: true })
}

const addHooks = (app: App, begin: (request: FastifyRequest) => TimedSpan): void => {
  const spans = new WeakMap<FastifyRequest, TimedSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const timed = begin(request)
    spans.set(request, timed)
    current.run(timed, done)
  })
  // Events of the connection deliver the body, and these events have no request. So the span is set again here.
  app.addHook('preValidation', (request, _reply, done) => current.run(spans.get(request), done))
  app.addHook('onResponse', (request, reply, done) => {
    const timed = spans.get(request)
    if (timed) addAnswer(timed.span, request, reply)
    timed?.span.end(timed.now())
    done()
  })
}

/** Starts tracing this process. The caller closes it. */
export const openTracing = (config: TracingConfig, log: Logger): Tracing => {
  // If the caller sends no trace, a span gets the id of the request's log lines and audit records.
  let requestId = ''
  const provider = openProvider(config, log, () => requestId)
  const tracer = provider.getTracer('tenantry', version)
  const stops = [
    followStep(tracer, statementStep, ofStatement),
    followStep(tracer, redisStep, ofRedis),
    followStep(tracer, hashStep, ofHash),
  ]
  const beginRequest = (request: FastifyRequest): TimedSpan => {
    requestId = request.id
    const now = startClock()
    const { name, ...options } = ofRequest(request)
    return { span: tracer.startSpan(name, { ...options, startTime: now() }, parentContext(request)), now }
  }
  return {
    followRequests: (app) => addHooks(app, beginRequest),
    async close() {
      for (const stop of stops) stop()
      await provider.shutdown().catch(() => {})
    },
  }
}
