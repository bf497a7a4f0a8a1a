import { requireMfa } from '../../../access/policies.ts'
import { factorSetting } from '../../../access/tenant-settings.sql.ts'
import type { BuiltInSetting } from '../../../context.ts'

export const factorSettings: BuiltInSetting[] = [
  {
    key: factorSetting,
    scopes: ['tenant'],
    schema: { type: 'boolean' },
    default: false,
    label: 'Second factor',
    description: 'Everybody in scope of the tenant needs a session with a second factor.',
    group: 'Sign-in',
    /** Every replica forgets the callers of the tenant, because the new value can restrict them. */
    apply: async ({ actor, changes, tenantId }) => {
      requireMfa(actor)
      changes.push({ kind: 'tenant', tenantId })
    },
  },
]
