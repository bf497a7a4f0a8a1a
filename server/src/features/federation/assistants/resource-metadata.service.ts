import { readScope } from '../../../access/assistant-scopes.ts'
import { mcpUrl } from '../../../config/front-door.ts'
import type { CallerlessCtx } from '../../../context.ts'
import type { ResourceMetadata } from './assistants.schemas.ts'

/** The metadata by which an assistant finds the authorization server (RFC 9728, 2). */
export const getResourceMetadata = ({ parts: { config } }: CallerlessCtx): ResourceMetadata => ({
  resource: mcpUrl(config),
  authorization_servers: [config.issuer],
  scopes_supported: [readScope],
  bearer_methods_supported: ['header'],
  resource_name: 'Tenantry',
})
