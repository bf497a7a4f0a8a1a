import type { SettingScope } from './settings.queries.ts'

/** Settings that the service reads itself, with their bounds; they have forms instead of JSON. */
export const retention = { key: 'audit.retention_days', daysMin: 30, daysMax: 36_500 } as const

export const secondFactor = { key: 'auth.require_second_factor' } as const

const keys: string[] = [retention.key, secondFactor.key]

/** The service reads them only in a tenant: in the scope of all tenants they would change nothing. */
export const isReadByService = (key: string): boolean => keys.includes(key)

export const hasForm = (scope: SettingScope, key: string): boolean =>
  scope === 'tenant' && isReadByService(key)
