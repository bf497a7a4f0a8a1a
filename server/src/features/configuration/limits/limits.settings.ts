import { limitsSetting } from '../../../access/tenant-settings.sql.ts'
import { lockTenantAlone } from '../../../access/tenancy.store.ts'
import type { BuiltInSetting } from '../../../context.ts'
import { limitNames } from '../../../values/limit-names.ts'
import { applyLimits, limitsIn } from './limits.service.ts'

const limit = { type: ['integer', 'null'], minimum: 0, maximum: 1_000_000_000 }

export const limitSettings: BuiltInSetting[] = [
  {
    key: limitsSetting,
    scopes: ['global', 'tenant'],
    schema: {
      type: 'object',
      properties: Object.fromEntries(limitNames.map((name) => [name, limit])),
      additionalProperties: false,
    },
    default: limitsIn({}),
    label: 'Limits',
    description:
      'The most that each tenant may have of a kind; null for no limit. Platform administrators write the value of a tenant, which counts name by name.',
    group: 'Tenants',
    merge: limitsIn,
    lock: lockTenantAlone,
    apply: applyLimits,
  },
]
