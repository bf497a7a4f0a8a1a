import {
  supportAccessSetting,
  supportColleaguesSetting,
  supportNoticeSetting,
} from '../../../access/support.sql.ts'
import { lockTenantAuthority } from '../../../access/tenancy.store.ts'
import type { BuiltInSetting } from '../../../context.ts'
import { applySupportSetting } from './access-settings.service.ts'

const rules = {
  scopes: ['tenant'],
  group: 'Support',
  lock: lockTenantAuthority,
  apply: applySupportSetting,
} satisfies Partial<BuiltInSetting>

const mode = { schema: { type: 'string', enum: ['ask', 'allowed', 'off'] }, default: 'ask' }

export const supportSettings: BuiltInSetting[] = [
  {
    key: supportAccessSetting,
    ...rules,
    ...mode,
    label: 'Support by staff',
    description:
      'Whether staff of the installation may work as a user: after a question, without one, or not at all.',
  },
  {
    key: supportColleaguesSetting,
    ...rules,
    ...mode,
    label: 'Support by colleagues',
    description:
      'Whether users with the permission may work as another user: after a question, without one, or not at all.',
  },
  {
    key: supportNoticeSetting,
    ...rules,
    schema: { type: 'boolean' },
    default: true,
    label: 'Notices of support',
    description: 'Whether the user is asked, and told when a support session starts.',
  },
]
