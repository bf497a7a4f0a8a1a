import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Time } from '../../../http/schemas.ts'

/** 1 to 128 letters, digits and `._-:` (docs/contract.md, "Settings"). */
export const KeyParams = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: '^[A-Za-z0-9._:-]+$',
    examples: ['mail.sender'],
  }),
})

export const Setting = Type.Object(
  {
    key: Type.String({ examples: ['mail.sender'] }),
    value: Type.Unknown({ description: 'Any JSON.', examples: ['no-reply@example.com'] }),
    scope: Type.Unsafe<'global' | 'tenant'>({
      type: 'string',
      enum: ['global', 'tenant'],
      examples: ['tenant'],
    }),
    tenant_id: Type.String({
      description: '"" for a global setting.',
      examples: ['3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'],
    }),
    updated_at: Time,
  },
  { title: 'Setting' },
)
export type Setting = Static<typeof Setting>

export const UpdateSetting = Type.Object(
  {
    value: Type.Unknown({
      description: 'Any JSON, up to 64 KiB as UTF-8 text.',
      examples: ['no-reply@example.com'],
    }),
  },
  { title: 'UpdateSetting' },
)
export type UpdateSetting = Static<typeof UpdateSetting>
