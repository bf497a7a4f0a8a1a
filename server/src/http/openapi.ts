import type { RouteOptions } from 'fastify'
import type { App } from './app-type.ts'
import { answerHead } from './headers.ts'
import type { Parts } from '../context.ts'

const paths = ['/openapi.json', '/docs', '/docs/:group']
const notFound = 404

/** The described routes that are registered later. */
export const collectRoutes = (app: App): RouteOptions[] => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide !== true) routes.push(route)
  })
  return routes
}

/**
 * Serves the API description at `/openapi.json`, from the schemas of the routes that are registered later. `/docs`
 * shows it. The first request loads and builds both, so that a process whose API nobody reads does not pay for them.
 */
export const useOpenApi = async (
  app: App,
  basePath: string,
  parts: Parts,
  routes: RouteOptions[],
): Promise<void> => {
  const open = async () => {
    const { openDescription } = await import('./openapi-description.ts')
    return openDescription(routes, basePath, parts)
  }
  let opening: Promise<App> | undefined
  await app.register(async (scope: App) => {
    answerHead(scope)
    for (const path of paths) {
      scope.get(path, { schema: { hide: true } }, async ({ method, url, headers }, reply) => {
        const description = await (opening ??= open())
        const answer = await description.inject({ method: method as 'GET' | 'HEAD', url, headers })
        if (answer.statusCode === notFound) return reply.callNotFound()
        return reply.code(answer.statusCode).headers(answer.headers).send(answer.rawPayload)
      })
    }
  })
}
