import type { Key } from '@tenantry/client'

export const soonDays = 7
const soonMs = soonDays * 86_400_000

type Expiring = Pick<Key, 'expires_at'>

const remainingMs = ({ expires_at: at }: Expiring): number =>
  at === '' ? Infinity : Date.parse(at) - Date.now()

export const isExpired = (key: Expiring): boolean => remainingMs(key) <= 0

/** True if a valid key expires within 7 days. */
export const isExpiring = (key: Expiring): boolean => !isExpired(key) && remainingMs(key) <= soonMs
