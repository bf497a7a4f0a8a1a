import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf, Time, Uuid } from '../../../http/schemas.ts'
import { Email } from '../../accounts/users/users.schemas.ts'

export const StartSignIn = Type.Object({
  connection: Type.Optional(Uuid),
  provider: Type.Optional(Type.String({ maxLength: 32 })),
  interaction: Type.Optional(Uuid),
  ticket: Type.Optional(Type.String({ maxLength: 64 })),
  test: Type.Optional(Type.String({ maxLength: 64 })),
})
export type StartSignIn = Static<typeof StartSignIn>

export const Discover = Type.Object({ email: Email }, { title: 'Discover' })

export const Discovered = Type.Object(
  {
    connection: Type.Union([
      Type.Null(),
      Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['Entra ID'] }),
        tenant: Type.Object({ id: Uuid, name: Type.String({ examples: ['Acme'] }) }),
      }),
    ]),
  },
  { title: 'Discovered' },
)
export type Discovered = Static<typeof Discovered>

export const SignInTest = Type.Object(
  {
    url: Type.String({
      description: 'It works once, for 10 minutes, and signs nobody in.',
      examples: [
        'https://admin.example.com/sso/start?connection=3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b&test=…',
      ],
    }),
  },
  { title: 'SignInTest' },
)

export const Attempt = Type.Object(
  {
    id: Type.Integer({ examples: [71] }),
    at: Time,
    outcome: {
      ...OneOf('signed_in', 'proof', 'refused', 'test_passed', 'test_failed'),
      description: '`proof`: the person was asked to prove an account, and has not yet.',
    },
    reason: Type.String({
      description:
        'How the person was found (`known`, `linked`, `proved`, `created`), or why they were refused. `answered`: a passed test of a guest.',
      examples: ['address_outside'],
    }),
    number: Type.Integer({
      description: 'The number that a refused person sees; 0 for no refusal.',
      examples: [202],
    }),
    subject: Type.String({ description: 'The person at the provider.', examples: ['00u1a2b3'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    claims: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['groups'] }),
        values: Type.Union([Type.Array(Type.String()), Type.Null()], {
          description: 'Null for a claim that the connection does not read.',
          examples: [['accounting']],
        }),
      }),
    ),
    ip: Type.String({ examples: ['203.0.113.7'] }),
  },
  { title: 'Attempt' },
)
export type Attempt = Static<typeof Attempt>
