import { lockTenantAuthority } from '../../../access/tenancy.store.ts'
import { waysSetting } from '../../../access/tenant-settings.sql.ts'
import type { BuiltInSetting } from '../../../context.ts'
import { openWays, applyWays } from './ways.service.ts'

export const waysSettings: BuiltInSetting[] = [
  {
    key: waysSetting,
    scopes: ['global', 'tenant'],
    schema: {
      type: 'object',
      properties: {
        password: { type: 'boolean' },
        passkey: { type: 'boolean' },
        providers: {
          type: ['array', 'null'],
          items: { type: 'string', pattern: '^[a-z0-9-]{1,32}$' },
          maxItems: 20,
        },
        email_code: { type: 'boolean' },
        offer_passkey: { type: 'boolean' },
      },
      additionalProperties: false,
    },
    default: openWays({}),
    label: 'Ways to sign in',
    description:
      'The ways to prove an account. A way is open in a tenant if both the installation and the tenant open it.',
    group: 'Sign-in',
    merge: openWays,
    lock: lockTenantAuthority,
    apply: applyWays,
  },
]
