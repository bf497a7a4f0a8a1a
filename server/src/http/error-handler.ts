import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ArchiveUnavailable, DatabaseUnavailable } from '../db/errors.ts'
import { AppError } from '../errors/app-error.ts'
import { isVisit, sendUnknownPage } from './answer-pages.ts'
import type { App } from './app-type.ts'
import { drainBody } from './drain.ts'
import { sendFailure } from './envelope.ts'
import { traceIdOf } from './trace.ts'
import { InvalidInput } from './validation.ts'

/** The API's errors for Fastify's refusals, by Fastify's error code. */
const refusals: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('bodyTooLarge', 'The body has more than 1 MiB'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new AppError(
      'mediaTypeUnsupported',
      'The body must be JSON: send the header Content-Type: application/json',
    ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError('malformedBody', 'The body is not as long as Content-Length says'),
  FST_ERR_BAD_URL: () => new AppError('malformedRequest', 'The URL is not validly encoded'),
}

const invalidInput = (fields: InvalidInput['fields']): AppError => {
  const [first] = fields
  return new AppError('invalidInput', first ? `${first.field} ${first.message}` : 'The input is invalid', {
    fields,
  })
}

const databaseUnavailable = () =>
  new AppError('databaseUnavailable', 'The database is away or too busy at the moment. Try again', {
    retryAfterSeconds: 1,
  })

/** Times and ids of records differ in order by at most a day (decision 0083). */
const dayMs = 24 * 3_600_000

const archiveAway = ({ ctx }: FastifyRequest) => {
  ctx.parts.metrics.archiveFailures.inc()
  const { newestAt } = ctx.parts.archives.known()
  const before = newestAt && new Date(newestAt.getTime() + dayMs).toISOString()
  return new AppError(
    'archiveAway',
    `Audit records from before ${before ?? 'some day'} can be at a server that does not answer. Ask for later records with from, or try again`,
    { retryAfterSeconds: 30 },
  )
}

const malformedRequest = () => new AppError('malformedRequest', 'The request is malformed')

/** Maps Fastify's 4xx to an error of the API. */
const fromFramework = (error: Partial<FastifyError>): AppError | undefined => {
  const { code = '', statusCode = 500 } = error
  return refusals[code]?.() ?? (statusCode < 500 ? malformedRequest() : undefined)
}

/** Returns undefined for an unforeseen error, which becomes a 500. */
const toAppError = (error: FastifyError | Error, request: FastifyRequest): AppError | undefined => {
  if (error instanceof AppError) return error
  if (error instanceof InvalidInput) return invalidInput(error.fields)
  if (error instanceof DatabaseUnavailable) return databaseUnavailable()
  if (error instanceof ArchiveUnavailable) return archiveAway(request)
  return fromFramework(error)
}

const internal = () =>
  new AppError('internal', 'Something went wrong here. The trace id finds the cause in the log')

/** Logs unforeseen errors with their stack, and overload on one line. Does not log a caller's mistakes. */
const logError = (err: Error, known: AppError | undefined, { id, log }: FastifyRequest): void => {
  if (!known) return log.error({ err, trace_id: id }, 'request failed')
  if (known.status < 500) return
  log.warn({ trace_id: id, code: known.code, cause: err.message }, known.message)
}

/** Logs an error, and returns the error of the answer. A 500 never shows internals; its trace id finds the log line. */
export const errorToAnswer = (error: FastifyError | Error, request: FastifyRequest): AppError => {
  const known = toAppError(error, request)
  logError(error, known, request)
  return known ?? internal()
}

export const answerError = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) =>
  sendFailure(request, reply, errorToAnswer(error, request))

/** Makes `answer` send the errors of a scope, for standards with their own form of errors. */
export const useAnswersToErrors = (
  app: App,
  answer: (...args: Parameters<typeof answerError>) => FastifyReply | Promise<FastifyReply>,
): void => {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') await drainBody(request.raw)
    return answer(error, request, reply)
  })
}

interface KnownPath {
  pattern: RegExp
  methods: Set<string>
}

const toPattern = (url: string) =>
  new RegExp(
    `^${url
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[A-Za-z]+/g, '[^/]+')
      .replace(/\/\\\*$/, '/.*')}$`,
  )

const routeUnknown = () => new AppError('routeUnknown', 'There is nothing at this path')

/** Makes the scope's error handler also answer unknown paths below its prefix. Call it after `useAnswersToErrors`. */
export const useAnswersToUnknownPaths = (app: App): void => {
  app.setNotFoundHandler(async () => {
    throw routeUnknown()
  })
}

/**
 * Answers errors, unknown paths (404) and known paths with another method (405 with Allow) in the envelope, unless a
 * scope has its own form.
 */
export const useErrorAnswers = (app: App): void => {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: toPattern(url), methods: new Set() }
    for (const one of [method].flat()) known.methods.add(one)
    paths.set(url, known)
  })
  useAnswersToErrors(app, answerError)
  const unknownRoute = (request: FastifyRequest, reply: FastifyReply): AppError => {
    const [path = ''] = request.url.split('?')
    const methods = [...paths.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((known) => [...known.methods])
    // A missing file below a path like /console/assets/* arrives here from its own route.
    if (methods.length === 0 || methods.includes(request.method)) return routeUnknown()
    const allow = [...new Set(methods)].join(', ')
    reply.header('allow', allow)
    return new AppError('methodNotAllowed', `This path answers to ${allow} only`)
  }
  app.setNotFoundHandler(async (request, reply) => {
    throw unknownRoute(request, reply)
  })
  app.addHook('onResponse', ({ raw }, reply, done) => {
    if (!reply.raw.shouldKeepAlive) ended.add(raw.socket)
    done()
  })
  // Runs before the body is read. An unknown path is 404 with any body.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const unknown = unknownRoute(request, reply)
    if (unknown.status === 404 && isVisit(request)) void sendUnknownPage(request, reply)
    else done(unknown)
  })
}

/** Sockets that have already sent their last answer. */
const ended = new WeakSet<Socket>()

/** True if nobody waits for an answer: browsers open connections in advance, and Node ends silent connections. */
const isUnasked = (error: ConnectionError, socket: Socket): boolean =>
  !socket.writable || socket.bytesRead === 0 || ended.has(socket) || error.code === 'ECONNRESET'

const connectionFault = ({ code }: ConnectionError): AppError =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new AppError('requestTooSlow', 'The request did not arrive in time. Send it again')
    : malformedRequest()

/** Answers input that is not HTTP. There is no request object yet, so it writes the answer to the socket. */
export const answerClientError = (error: ConnectionError, socket: Socket): void => {
  if (isUnasked(error, socket)) {
    socket.destroy()
    return
  }
  const traceId = traceIdOf({ headers: {} })
  const { status, code, message } = connectionFault(error)
  const body = JSON.stringify({ code, message, data: null, trace_id: traceId })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-trace-id: ${traceId}`,
    'connection: close',
  ]
  // The client of a HEAD request would take a body for the start of the next answer.
  const packet: unknown = error.rawPacket
  const isHead = Buffer.isBuffer(packet) && packet.toString('latin1', 0, 5) === 'HEAD '
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`)
}
