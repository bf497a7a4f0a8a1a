import type { Static } from 'typebox'
import { OneOf } from '../../../../http/schemas.ts'
import { Type } from '../../../../values/type.ts'

const TextField = (example: string) => Type.Optional(Type.String({ examples: [example] }))

export const Introspection = Type.Object(
  {
    active: Type.Boolean({ description: 'If false, the answer has no other field.', examples: [true] }),
    sub: TextField('7'),
    tid: TextField('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'),
    sid: TextField('0f6b2c7e-5d5e-4f7a-9a51-7f1d3c9b2a10'),
    aud: TextField('https://mcp.example.com/mcp'),
    client_id: TextField('x4kT9mQ2sVb7LpWc1RzYeA'),
    scope: TextField('invoice:read'),
    token_type: TextField('Bearer'),
    exp: Type.Optional(Type.Integer({ description: 'Unix seconds.', examples: [1_769_850_000] })),
    username: TextField('ada'),
    act: Type.Optional(
      Type.Object(
        {
          sub: Type.String({ examples: ['12'] }),
          tid: Type.String({ examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'] }),
          name: Type.String({ examples: ['grace'] }),
        },
        { description: 'The person who acts, in a support session.' },
      ),
    ),
    support: Type.Optional(
      Type.Object({
        id: Type.String({ examples: ['0f6b2c7e-5d5e-4f7a-9a51-7f1d3c9b2a10'] }),
        kind: OneOf('view', 'act'),
      }),
    ),
  },
  { title: 'Introspection' },
)
export type Introspection = Static<typeof Introspection>
