import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { App } from './app-type.ts'
import { errorCodes } from '../errors/app-error.ts'
import { documentedErrors } from './error-meanings.ts'
import { answerHead, pagePolicy } from './headers.ts'
import { statusOfRefusal } from './oauth-answers.ts'
import { description, sharedComponents, tags } from './openapi-components.ts'
import { failuresOf, finishOperation, type Operation } from './openapi-operations.ts'
import type { Components } from './openapi-schemas.ts'
import { createServer } from './server.ts'
import type { Parts } from '../context.ts'
import { version } from '../version.ts'

type Paths = Record<string, Record<string, Operation>>

/** The document that @fastify/swagger passes to its transform. */
interface SwaggerDocument {
  openapiObject: { paths: Paths }
}

/** The route's own errors with their codes. Errors of a standard have their statuses instead. */
const ownErrors = ({ fails = [], refuses = [] }: FastifyContextConfig): Record<string, number> => ({
  ...Object.fromEntries(fails.map((name) => [name, errorCodes[name]])),
  ...Object.fromEntries(refuses.map((name) => [name, statusOfRefusal(name)])),
})

/** Copies the route's permission and errors to its operation. No other part of the route reaches the document. */
const markRoute: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({ schema, url, route }) => ({
  schema: {
    ...schema,
    'x-permission': route.config?.allow ?? 'public',
    ...(route.config?.allowAlso && { 'x-permission-also': route.config.allowAlso }),
    ...(route.config?.provesCallers && { 'x-proves-callers': true }),
    'x-errors': ownErrors(route.config ?? {}),
  },
  url,
})

const finishPaths = (paths: Paths, basePath: string, components: Components) =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => {
          const endpoint = { method, path, isAlias: `${basePath}${path}` in paths }
          return [method, finishOperation(operation, endpoint, components)]
        }),
      ),
    ]),
  )

/** Completes the document with facts that the routes' schemas do not contain. */
const finishDocument = ({ paths }: { paths: Paths }, basePath: string) => {
  const schemas: Components = {}
  const operations = Object.values(paths).flatMap((one) => Object.values(one))
  const statuses = [...new Set(operations.flatMap(failuresOf))].toSorted((a, b) => a - b)
  const finished = finishPaths(paths, basePath, schemas)
  const shared = sharedComponents(statuses, schemas)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tenantry',
      version,
      summary: 'Administration backend for multi-tenant products',
      description,
      contact: { name: 'The Tenantry project' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags,
    paths: finished,
    components: { ...shared, schemas },
    'x-error-codes': documentedErrors,
  }
}

/**
 * Opens an application that has only the description of these routes, and its page. The service hands requests over to
 * it, and does not listen on it.
 */
export const openDescription = async (
  routes: RouteOptions[],
  basePath: string,
  parts: Pick<Parts, 'config' | 'log'>,
): Promise<App> => {
  const app = createServer(parts)
  await app.register(swagger, {
    openapi: { openapi: '3.1.1' },
    convertConstToEnum: false,
    transform: markRoute,
    transformObject: (document) =>
      finishDocument((document as unknown as SwaggerDocument).openapiObject, basePath),
  })
  for (const { method, url, schema = {}, config = {} } of routes) {
    app.route({ method, url, schema, config, handler: async () => undefined })
  }
  await app.register(async (scope: App) => {
    answerHead(scope)
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: pagePolicy("style-src 'self'"),
      theme: { title: 'Tenantry API' },
      // BaseLayout has no top bar, which would only load other documents. The console links to single groups of
      // endpoints.
      uiConfig: { layout: 'BaseLayout', deepLinking: true, filter: true, displayRequestDuration: true },
    })
    scope.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(app.swagger()),
    )
  })
  return app
}
