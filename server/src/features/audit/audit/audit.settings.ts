import type { BuiltInSetting } from '../../../context.ts'

export const auditSettings: BuiltInSetting[] = [
  {
    key: 'audit.retention_days',
    scopes: ['tenant'],
    // A shorter period would let a thief of an administrator's account erase traces unnoticed (decision 0051).
    schema: { type: ['integer', 'null'], minimum: 30, maximum: 36_500 },
    label: 'Retention of audit records',
    description: 'Days that audit records are kept; without it they are kept for ever.',
    group: 'Audit log',
  },
]
