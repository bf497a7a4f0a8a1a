import { lockTenantAuthority } from '../../../access/tenancy.store.ts'
import { ssoSetting } from '../../../access/tenant-settings.sql.ts'
import type { BuiltInSetting } from '../../../context.ts'
import { applyRequired } from './required.service.ts'

export const ssoSettings: BuiltInSetting[] = [
  {
    key: ssoSetting,
    scopes: ['tenant'],
    schema: { type: 'string', enum: ['optional', 'required'] },
    default: 'optional',
    label: 'Sign-in by the connection',
    description: 'Whether nothing but a connection of the tenant leads into it.',
    group: 'Sign-in',
    lock: lockTenantAuthority,
    apply: applyRequired,
  },
]
