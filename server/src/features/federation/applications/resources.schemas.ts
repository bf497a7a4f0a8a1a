import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Name, Time } from '../../../http/schemas.ts'

const fields = {
  identifier: Type.String({
    minLength: 1,
    maxLength: 512,
    description: 'An absolute URI without fragment: the `aud` of tokens for the resource.',
    examples: ['https://mcp.example.com/mcp'],
  }),
  name: Name({ minLength: 1, maxLength: 64 }, 'Invoices for assistants'),
  permission_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: 200,
    description: 'Permissions of the product that the resource uses.',
    examples: [[1000]],
  }),
  allow_unregistered: Type.Boolean({
    description: 'Whether clients that registered themselves may name it.',
    examples: [false],
  }),
}

export const Resource = Type.Object(
  {
    id: Id,
    ...fields,
    permission_ids: Type.Array(Id, { examples: [[1000]] }),
    is_built_in: Type.Boolean({
      description: 'True for the resource of assistants (`TENANTRY_MCP`), which nobody changes.',
      examples: [false],
    }),
    created_at: Time,
  },
  { title: 'Resource' },
)
export type Resource = Static<typeof Resource>

const { identifier, name, permission_ids, allow_unregistered } = fields

export const CreateResource = Type.Object(
  { identifier, name, permission_ids, allow_unregistered: Type.Optional(allow_unregistered) },
  { title: 'CreateResource' },
)
export type CreateResource = Static<typeof CreateResource>

export const UpdateResource = Type.Partial(Type.Object(fields), { title: 'UpdateResource' })
export type UpdateResource = Static<typeof UpdateResource>
