import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { Uuid } from '../../../../http/schemas.ts'

export const UserinfoRequest = Type.Object(
  {
    access_token: Type.Optional(
      Type.String({
        maxLength: 8192,
        description: 'Not beside the header `Authorization`.',
        examples: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln'],
      }),
    ),
  },
  { title: 'UserinfoRequest' },
)
export type UserinfoRequest = Static<typeof UserinfoRequest>

const Claim = (example: string, description = 'With the scope `profile`.') =>
  Type.Optional(Type.String({ description, examples: [example] }))
const withEmail = 'With the scope `email`.'

export const Userinfo = Type.Object(
  {
    sub: Type.String({ description: 'The id of the user in the tenant.', examples: ['7'] }),
    tid: { ...Uuid, description: 'The tenant.' },
    name: Claim('Ada'),
    preferred_username: Claim('ada'),
    locale: Claim('en'),
    tenant_name: Claim('Example'),
    tenant_slug: Claim('example'),
    picture: Claim('data:image/jpeg;base64,/9j/', 'A data URL, with the scope `profile`.'),
    email: Claim('ada@example.com', withEmail),
    email_verified: Type.Optional(Type.Boolean({ description: withEmail, examples: [true] })),
    person: Type.Optional({
      ...Uuid,
      description: 'The same in every tenant; only for applications of the installation’s own.',
    }),
  },
  {
    title: 'Userinfo',
    description: 'With the scope `profile`, own applications get the claims of attributes as well.',
    patternProperties: { '^[a-z][a-z0-9_]{0,63}$': Type.Unknown() },
  },
)
export type Userinfo = Static<typeof Userinfo>
