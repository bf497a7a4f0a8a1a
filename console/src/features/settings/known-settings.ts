import type { SettingScope } from './use-settings.ts'

/** Settings that the service itself reads, and what they may be; they have forms instead of JSON. */
export const retention = { key: 'audit.retention_days', daysMin: 30, daysMax: 36_500 } as const

export const hasForm = (scope: SettingScope, key: string): boolean =>
  scope === 'tenant' && key === retention.key
