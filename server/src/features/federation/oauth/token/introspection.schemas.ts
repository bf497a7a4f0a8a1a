import { Type, type Static } from 'typebox'

const Told = (example: string) => Type.Optional(Type.String({ examples: [example] }))

export const Introspection = Type.Object(
  {
    active: Type.Boolean({ description: 'False: there is nothing else.', examples: [true] }),
    sub: Told('7'),
    tid: Told('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'),
    sid: Told('0f6b2c7e-5d5e-4f7a-9a51-7f1d3c9b2a10'),
    aud: Told('https://mcp.example.com/mcp'),
    client_id: Told('x4kT9mQ2sVb7LpWc1RzYeA'),
    scope: Told('invoice:read'),
    token_type: Told('Bearer'),
    exp: Type.Optional(Type.Integer({ description: 'Unix seconds.', examples: [1_769_850_000] })),
    username: Told('ada'),
  },
  { title: 'Introspection' },
)
export type Introspection = Static<typeof Introspection>
