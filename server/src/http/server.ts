/** The HTTP server, before any hook and any route. */
import fastify, { LogController, type FastifyBaseLogger, type FastifyServerOptions } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Parts } from '../context.ts'
import type { App } from './app-type.ts'
import { networksOf } from '../values/networks.ts'
import { readAddress } from '../values/source.ts'
import { bodyBytesMax, parseQuery } from './body.ts'
import { answerClientError, answerError } from './error-handler.ts'
import { createSerializerCompiler } from './serialization.ts'
import { traceIdOf } from './trace.ts'
import { compileValidator } from './validation.ts'

/** Decides whether to trust the peer, and each address of X-Forwarded-For, beginning with the last. */
const trusts = (proxies: string[]): ((text: string | undefined) => boolean) => {
  const networks = networksOf(proxies)
  return (text) => networks.has(readAddress(text) ?? '')
}

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/** Given to the constructor, because Fastify otherwise loads compilers of its own. Its types expect these. */
const createCompilers = (): Compilers => {
  const compileSerializer = createSerializerCompiler()
  const compilers = { buildValidator: () => compileValidator, buildSerializer: () => compileSerializer }
  return compilers as unknown as Compilers
}

export const createServer = ({ config, log }: Pick<Parts, 'config' | 'log'>): App => {
  // main.ts and access-log.ts log the start and the requests, so Fastify logs only warnings.
  const frameworkLog: FastifyBaseLogger = log.isLevelEnabled('warn') ? log.child({}, { level: 'warn' }) : log
  return fastify({
    loggerInstance: frameworkLog,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: traceIdOf,
    schemaController: { compilersFactory: createCompilers() },
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 && trusts(config.trustedProxies),
    // The longest path parameter. A setting's key has up to 128 characters, and percent-encoding can triple them.
    routerOptions: { maxParamLength: 400, querystringParser: parseQuery },
    // Ends a request whose client sends too slowly. Node checks every few seconds.
    requestTimeout: 30_000,
    // Ends a connection whose client does not read its answer, which would stay in memory. Node restarts the timer
    // once, when the client reads a part. The time is longer than a request waits for the database.
    connectionTimeout: 20_000,
    // requireHost answers a missing host in the envelope.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
}
