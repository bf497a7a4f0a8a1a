import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, OneOf, Time } from '../../../http/schemas.ts'
import { Prefix } from '../../configuration/settings/definitions.schemas.ts'
import { KeyParams } from '../../configuration/settings/settings.schemas.ts'

export { Effective } from '../../configuration/settings/effective.schemas.ts'
export { UpdateSetting } from '../../configuration/settings/settings.schemas.ts'
export { KeyParams }

const keysMax = 100

const UserId = Type.Optional(
  Type.Integer({
    ...Id,
    description: 'A user of the tenant in scope; by default the caller. Another user needs `user:read`.',
  }),
)

export const EffectiveQuery = Type.Object({
  prefix: Type.Optional(Prefix),
  keys: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 13_000,
      pattern: `^[A-Za-z0-9._:-]{1,128}(?:,[A-Za-z0-9._:-]{1,128}){0,${keysMax - 1}}$`,
      description: `Up to ${keysMax} keys, with commas between them.`,
      examples: ['mail.sender,mail.footer'],
    }),
  ),
  user_id: UserId,
})
export type EffectiveQuery = Static<typeof EffectiveQuery>

export const OneEffectiveQuery = Type.Object({ user_id: UserId })

export const UserSetting = Type.Object(
  {
    key: Type.String({ examples: ['ui.density'] }),
    value: Type.Unknown({ examples: ['compact'] }),
    scope: OneOf('user'),
    tenant_id: Type.String({ examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'] }),
    updated_at: Time,
  },
  { title: 'UserSetting' },
)
export type UserSetting = Static<typeof UserSetting>

export const UserKeyParams = Type.Object({ id: Id, key: KeyParams.properties.key })
