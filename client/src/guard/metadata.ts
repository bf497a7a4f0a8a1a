/** The guard as a protected resource (RFC 9728). */
import type { FastifyReply } from './fastify.ts'
import type { ExpressResponse } from './express.ts'
import type { HonoContext } from './hono.ts'

/** RFC 9728: names the authorization server of a resource to clients without a token. */
export interface ResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported: string[]
  bearer_methods_supported: string[]
}

/** Handlers that answer the metadata, one per framework. */
export interface MetadataHandlers {
  /** The paths to serve: the well-known path, and the well-known path followed by the path of the resource. */
  paths: string[]
  express: (request: unknown, response: ExpressResponse) => void
  fastify: (request: unknown, reply: FastifyReply) => unknown
  hono: (context: HonoContext) => Response
  request: () => Response
}

const wellKnown = '/.well-known/oauth-protected-resource'

/** Clients in browsers read it from other origins. It holds no data of users. */
const headers = { 'access-control-allow-origin': '*' }

/** Throws a TypeError unless the text is an http(s) address without a fragment. */
const addressOf = (resource: string): URL => {
  const url = URL.canParse(resource) ? new URL(resource) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || resource.includes('#')) {
    throw new TypeError(`resource is no http(s) address without a fragment: ${resource}`)
  }
  return url
}

const handlersOf = (paths: string[], read: () => ResourceMetadata): MetadataHandlers => ({
  paths,
  express: (_request, response) => {
    response.set(headers)
    response.json(read())
  },
  fastify: (_request, reply) => {
    reply.headers(headers)
    return reply.send(read())
  },
  hono: (context) => context.json(read(), 200, headers),
  request: () => Response.json(read(), { headers }),
})

export interface ProtectedResource {
  /** The parameter `resource_metadata` of every challenge. */
  challenge: string[]
  /** Adds the permissions of a route to `scopes_supported`. */
  support: (codes: readonly string[]) => void
  metadata: () => MetadataHandlers
}

const noResource: ProtectedResource = {
  challenge: [],
  support: () => undefined,
  metadata: () => {
    throw new TypeError('metadata needs the option resource')
  },
}

/** Throws a TypeError unless `resource` is an http(s) address without a fragment, or undefined. */
export const createResource = (resource: string | undefined, server: string): ProtectedResource =>
  resource === undefined ? noResource : resourceAt(resource, server)

const resourceAt = (resource: string, server: string): ProtectedResource => {
  const { origin, pathname, search } = addressOf(resource)
  // A single slash counts as no path (RFC 9728, section 3.1).
  const path = wellKnown + (pathname === '/' ? '' : pathname)
  const scopes = new Set<string>()
  const read = (): ResourceMetadata => ({
    resource,
    authorization_servers: [server],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
  })
  return {
    challenge: [`resource_metadata="${origin}${path}${search}"`],
    support: (codes) => {
      for (const code of codes) scopes.add(code)
    },
    metadata: () => handlersOf([...new Set([wellKnown, path])], read),
  }
}
