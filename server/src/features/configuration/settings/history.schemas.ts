import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { pageFields, Time } from '../../../http/schemas.ts'

export const SettingVersion = Type.Object(
  {
    version: Type.Integer({ examples: [3] }),
    value: Type.Unknown({ description: 'Null for a deletion and for a secret.', examples: ['red'] }),
    is_deleted: Type.Boolean({ examples: [false] }),
    changed_by: Type.Integer({ description: 'The id of a user or a service account.', examples: [7] }),
    changed_at: Time,
    reverted_from: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The version whose value was written again.',
      examples: [1],
    }),
  },
  { title: 'SettingVersion' },
)
export type SettingVersion = Static<typeof SettingVersion>

const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [2] })

export const HistoryQuery = Type.Object({
  before_version: Type.Optional({ ...Version, description: 'Versions before this one.' }),
  page_size: pageFields.page_size,
})
export type HistoryQuery = Static<typeof HistoryQuery>

export const Revert = Type.Object({ version: Version }, { title: 'RevertSetting' })
export type Revert = Static<typeof Revert>
