import type { App } from '../../../../http/app-type.ts'
import { Failure } from '../../../../http/failures.ts'
import { ServerMetadata } from './discovery.schemas.ts'
import { cacheable, getServerMetadata } from './discovery.service.ts'

/** Serves the metadata at the addresses of both standards. */
export const discoveryRoutes = (app: App): void => {
  for (const [name, operationId] of [
    ['openid-configuration', 'getOpenIdConfiguration'],
    ['oauth-authorization-server', 'getServerMetadata'],
  ] as const) {
    app.get(
      `/.well-known/${name}`,
      {
        schema: {
          operationId,
          tags: ['auth'],
          summary: 'Discover issuer, keys, endpoints and what they support',
          description: 'Metadata of an authorization server (RFC 8414).',
          response: { 200: ServerMetadata, 400: Failure, 500: Failure },
        },
      },
      async ({ ctx }, reply) => {
        reply.header('cache-control', cacheable)
        return getServerMetadata(ctx)
      },
    )
  }
}
