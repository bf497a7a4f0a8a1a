import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'

/** The metadata of the resource (RFC 9728, 2). */
export const ResourceMetadata = Type.Object(
  {
    resource: Type.String({ examples: ['https://admin.example.com/mcp'] }),
    authorization_servers: Type.Array(Type.String({ examples: ['https://admin.example.com'] })),
    scopes_supported: Type.Array(Type.String({ examples: ['mcp:read'] })),
    bearer_methods_supported: Type.Array(Type.String({ examples: ['header'] })),
    resource_name: Type.String({ examples: ['Tenantry'] }),
  },
  { title: 'ResourceMetadata' },
)
export type ResourceMetadata = Static<typeof ResourceMetadata>
