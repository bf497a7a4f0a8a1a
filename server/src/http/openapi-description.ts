import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { Type } from 'typebox'
import type { FastifyContextConfig, FastifyReply, RouteOptions } from 'fastify'
import type { App } from './app-type.ts'
import { errorCodes } from '../errors/app-error.ts'
import { documentedErrors } from './error-meanings.ts'
import { answerHead } from './headers.ts'
import { statusOfRefusal } from './oauth-answers.ts'
import { description, sharedComponents, tags } from './openapi-components.ts'
import { failuresOf, finishOperation, type Operation } from './openapi-operations.ts'
import type { Components } from './openapi-schemas.ts'
import type { ApiDescription } from './reference-operation.ts'
import { referenceGroup, referenceStart, type Files } from './reference-page.ts'
import { referencePolicy } from './reference-style.ts'
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

const marksOf = (config: FastifyContextConfig) => ({
  'x-permission': config.allow ?? 'public',
  ...(config.allowAlso && { 'x-permission-also': config.allowAlso }),
  ...(config.isApprovable && { 'x-approvable': true }),
  ...(config.provesCallers && { 'x-proves-callers': true }),
  ...(config.support && { 'x-support': config.support }),
  'x-errors': ownErrors(config),
})

/** Copies the route's permission and errors to its operation. No other part of the route reaches the document. */
const markRoute: NonNullable<FastifyDynamicSwaggerOptions['transform']> = ({ schema, url, route }) => ({
  schema: { ...schema, ...marksOf(route.config ?? {}) },
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

const hidden = { schema: { hide: true } }

const queryLengthMax = 200
const searched = {
  schema: {
    ...hidden.schema,
    querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: queryLengthMax })) }),
  },
}

/** The files of the console's build for the reference. Its script sends requests on trial. */
const filesOf = (consoleFolder: string): Files => {
  const manifest = join(consoleFolder, '.vite', 'sign-in.json')
  if (!existsSync(manifest)) return { script: undefined, icon: undefined }
  const built = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, { file: string } | undefined>
  const address = (source: string) => built[source] && `/console/${built[source].file}`
  return { script: address('src/reference/try-it.ts'), icon: address('src/icon.svg') }
}

const fresh = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-cache')

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  fresh(reply).header('content-security-policy', referencePolicy).type('text/html; charset=utf-8').send(page)

/**
 * Opens an application that has only the description of these routes, and its page. The service hands requests over to
 * it, and does not listen on it.
 */
export const openDescription = async (
  routes: RouteOptions[],
  basePath: string,
  parts: Pick<Parts, 'config' | 'consoleFolder' | 'log'>,
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
  const files = filesOf(parts.consoleFolder)
  const read = () => app.swagger() as unknown as ApiDescription
  await app.register(async (scope: App) => {
    answerHead(scope)
    scope.get('/openapi.json', hidden, async (_request, reply) => fresh(reply).send(app.swagger()))
    scope.get<{ Querystring: { q?: string } }>('/docs', searched, async ({ query }, reply) =>
      sendPage(reply, referenceStart(read(), files, query.q?.trim() ?? '')),
    )
    scope.get<{ Params: { group: string } }>('/docs/:group', hidden, async ({ params }, reply) => {
      const page = referenceGroup(read(), files, params.group)
      return page === undefined ? reply.callNotFound() : sendPage(reply, page)
    })
  })
  return app
}
