import type { BuiltInSetting } from '../../../context.ts'
import { accepts } from '../../configuration/settings/declared.service.ts'
import type { PasswordRules } from './passwords.schemas.ts'

const defaultRules: PasswordRules = {
  min_length: 8,
  refuse_common: false,
  refuse_personal: false,
  breached: 'off',
}

/** Of several values, each member at its strictest. A missing member has its default. */
const strictestOf = (values: Partial<PasswordRules>[]): PasswordRules => {
  const all = [defaultRules, ...values]
  return {
    min_length: Math.max(...all.map((one) => one.min_length ?? 0)),
    refuse_common: all.some((one) => one.refuse_common),
    refuse_personal: all.some((one) => one.refuse_personal),
    breached: all.some((one) => one.breached === 'refuse') ? 'refuse' : 'off',
  }
}

/** A tenant can only be stricter than the installation. */
export const passwordSetting: BuiltInSetting = {
  key: 'auth.passwords',
  scopes: ['global', 'tenant'],
  schema: {
    type: 'object',
    properties: {
      min_length: { type: 'integer', minimum: 8, maximum: 64 },
      refuse_common: { type: 'boolean' },
      refuse_personal: { type: 'boolean' },
      breached: { type: 'string', enum: ['off', 'refuse'] },
    },
    additionalProperties: false,
  },
  default: defaultRules,
  label: 'Passwords',
  description: 'What a new password must be; of the installation and the tenant, the stricter value counts.',
  group: 'Sign-in',
  merge: ({ global, tenant }) => rulesIn([global, tenant]),
}

/** The strictest rules of stored values. An invalid value has no effect. */
export const rulesIn = (values: unknown[]): PasswordRules =>
  strictestOf(values.filter((value) => accepts(passwordSetting, value)) as Partial<PasswordRules>[])

export const passwordSettings: BuiltInSetting[] = [passwordSetting]
