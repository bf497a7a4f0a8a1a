import { lockCatalogue } from '../../../access/tenancy.store.ts'
import { unregisteredSetting } from '../../../access/tenant-settings.sql.ts'
import type { BuiltInSetting } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import { colorSchema, logoSchema, requireLogo } from '../../../values/looks.ts'
import { isName } from '../../../values/text.ts'
import { endDisallowedSessionsEverywhere, endDisallowedSessions } from './unregistered.service.ts'

/** How pages of the sign-in show a tenant. */
interface Branding {
  name?: string
  logo?: string
  color?: string
}

export const applicationSettings: BuiltInSetting[] = [
  {
    key: unregisteredSetting,
    scopes: ['global', 'tenant'],
    schema: { type: 'boolean' },
    default: false,
    label: 'Applications that registered themselves',
    description: 'People may authorize applications that no administrator has made.',
    group: 'Sign-in',
    // A session of an application opens behind the lock of the catalogue, so no session opens while the setting
    // changes.
    lock: lockCatalogue,
    apply: (ctx, scope) =>
      scope === 'global' ? endDisallowedSessionsEverywhere(ctx) : endDisallowedSessions(ctx),
  },
  {
    key: 'branding',
    scopes: ['tenant'],
    schema: {
      type: 'object',
      properties: { name: { type: 'string', maxLength: 64 }, logo: logoSchema, color: colorSchema },
      additionalProperties: false,
    },
    label: 'Look of the sign-in',
    description: 'How the pages of the sign-in show the tenant.',
    group: 'Sign-in',
    check: (value) => {
      const { name = '', logo = '' } = value as Branding
      if (!isName(name)) throw invalid('value/name', 'must be one line, with no character that nobody sees')
      requireLogo('value/logo', logo)
    },
  },
]
