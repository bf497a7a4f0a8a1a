import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig } from 'fastify'
import type { App } from './app-type.ts'
import { errorCodes } from '../errors/app-error.ts'
import { documentedErrors } from './error-meanings.ts'
import { answerHead, pagePolicy } from './headers.ts'
import { statusOfRefusal } from './oauth-answers.ts'
import { description, sharedComponents, tags } from './openapi-components.ts'
import { failuresOf, finishOperation, type Operation } from './openapi-operations.ts'
import type { Components } from './openapi-schemas.ts'
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

const servePage = async (app: App): Promise<void> => {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: pagePolicy("style-src 'self'"),
    theme: { title: 'Tenantry API' },
    // BaseLayout has no top bar, which would only load other documents. The console links to single groups of
    // endpoints.
    uiConfig: { layout: 'BaseLayout', deepLinking: true, filter: true, displayRequestDuration: true },
  })
}

/**
 * Serves the API description at `/openapi.json`, from the schemas of the routes that are registered later. `/docs`
 * shows it. The first request builds it, so that a process whose API nobody reads does not pay for it.
 */
export const useOpenApi = async (app: App, basePath: string): Promise<void> => {
  await app.register(swagger, {
    openapi: { openapi: '3.1.1' },
    convertConstToEnum: false,
    transform: markRoute,
    transformObject: (document) =>
      finishDocument((document as unknown as SwaggerDocument).openapiObject, basePath),
  })
  await app.register(async (scope: App) => {
    answerHead(scope)
    await servePage(scope)
    scope.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
      reply.header('cache-control', 'no-cache').send(app.swagger()),
    )
  })
}
