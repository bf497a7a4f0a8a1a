import type { App } from './app-type.ts'

/** Answers hold what only the caller may see: no cache keeps them, no browser guesses their type. */
export const useDefaultHeaders = (app: App): void => {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

/** For the origins that are configured: what browsers may send and read. Tokens travel in headers, never in cookies. */
export const corsOptions = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowedHeaders: ['authorization', 'content-type', 'x-tenant-id', 'traceparent'],
  exposedHeaders: ['x-trace-id', 'x-total-capped', 'retry-after'],
  maxAge: 600,
}
