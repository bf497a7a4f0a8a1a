import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Include, Id, OneOf, Uuid } from '../../../http/schemas.ts'

/** The longest code has 32 characters on each side of the colon. */
const Code = Type.String({ minLength: 1, maxLength: 65, examples: ['user:read'] })

const Codes = Type.Array(Type.String({ examples: ['user:read'] }))

const AskedUser = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The user whom the question is about; the caller unless given.',
    examples: [7],
  }),
)

const AskedSession = Type.Optional(
  Type.String({
    pattern: '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|key_[1-9][0-9]{0,14})$',
    description:
      'A session of this user, the claim `sid` of a token: only its permissions count. `key_` and an id name a key of a ' +
      'service account. The answer is 404 when it is over.',
    examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'],
  }),
)

export const CheckQuestion = Type.Object(
  {
    permissions: Type.Array(Code, { minItems: 1, maxItems: 100, examples: [['user:read', 'audit:read']] }),
    user_id: AskedUser,
    session_id: AskedSession,
  },
  { title: 'CheckQuestion' },
)
export type CheckQuestion = Static<typeof CheckQuestion>

/** The person who works as the user in a support session. */
const Acting = Type.Object({
  id: Id,
  tenant_id: Uuid,
  name: Type.String({ examples: ['grace'] }),
  kind: { ...OneOf('platform', 'user'), description: 'Staff of the installation, or a user of the tenant.' },
})

const ActingField = Type.Optional(
  Type.Union([Acting, Type.Null()], {
    description: 'Only with `include=actor`: the person who acts, if it is a session of support; else null.',
  }),
)
export type Acting = Static<typeof Acting>

export const CheckQuery = Type.Object({ include: Include('actor') })
export type CheckQuery = Static<typeof CheckQuery>

export const CheckAnswer = Type.Object(
  {
    actor: ActingField,
    allowed: Type.Boolean({ description: 'Whether the user holds all of them.', examples: [false] }),
    results: Type.Array(
      Type.Object({
        permission: Type.String({ examples: ['user:read'] }),
        allowed: Type.Boolean({ examples: [true] }),
      }),
    ),
  },
  { title: 'CheckAnswer' },
)
export type CheckAnswer = Static<typeof CheckAnswer>

export const ExplainQuestion = Type.Object({ user_id: Id, permission: Code }, { title: 'ExplainQuestion' })
export type ExplainQuestion = Static<typeof ExplainQuestion>

const reasons = ['granted', 'not_granted', 'user_disabled', 'tenant_disabled'] as const

export const Explanation = Type.Object(
  {
    allowed: Type.Boolean({ examples: [true] }),
    roles: Type.Array(Type.Object({ id: Id, name: Type.String({ examples: ['Editors'] }) }), {
      description: 'The roles of the user that carry the permission.',
    }),
    reason: Type.Unsafe<(typeof reasons)[number]>({
      type: 'string',
      enum: [...reasons],
      examples: ['granted'],
    }),
  },
  { title: 'Explanation' },
)
export type Explanation = Static<typeof Explanation>

export const PermissionsQuestion = Type.Object({
  user_id: AskedUser,
  session_id: AskedSession,
  include: Type.Optional({
    ...OneOf('is_enabled', 'actor', 'is_enabled,actor', 'actor,is_enabled'),
    description: 'Adds `is_enabled`, `actor` or both.',
  }),
})
export type PermissionsQuestion = Static<typeof PermissionsQuestion>

export const HeldPermissions = Type.Object(
  {
    user_id: Id,
    tenant_id: Uuid,
    permissions: Codes,
    actor: ActingField,
    is_enabled: Type.Optional(
      Type.Boolean({
        description: 'Whether user and tenant are enabled: nothing is permitted where one is not.',
        examples: [true],
      }),
    ),
  },
  { title: 'HeldPermissions' },
)
export type HeldPermissions = Static<typeof HeldPermissions>
