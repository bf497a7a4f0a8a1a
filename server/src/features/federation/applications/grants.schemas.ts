import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, pageFields, Time } from '../../../http/schemas.ts'

export const Grant = Type.Object(
  {
    id: Id,
    application: Type.Object({
      id: Id,
      name: Type.String({ examples: ['Planner'] }),
      host: Type.String({
        description: 'Of the redirect address that the user consented to.',
        examples: ['planner.example.com'],
      }),
    }),
    user_id: Id,
    scopes: Type.Array(Type.String(), { examples: [['openid', 'invoice:read']] }),
    resource: Type.String({
      description: 'The identifier of the resource, "" for none.',
      examples: ['https://mcp.example.com/mcp'],
    }),
    last_used_at: Type.String({
      description: 'The last use of a living session of the consent, to 5 minutes; "" without one.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
    created_at: Time,
  },
  { title: 'Grant' },
)
export type Grant = Static<typeof Grant>

export const GrantQuery = Type.Object({
  ...pageFields,
  application_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
})
export type GrantQuery = Static<typeof GrantQuery>
