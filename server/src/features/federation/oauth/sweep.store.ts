import sql from 'sql-template-tag'
import type { ExpiredRows } from '../../../db/sweep.ts'

/** Used codes stay for an hour, so that the service detects a second use. */
const usedCodeMs = 3600_000

export const expiredAuthorizations = (now: Date): ExpiredRows[] => {
  const usedBefore = new Date(now.getTime() - usedCodeMs)
  const past = (table: string, before: Date): ExpiredRows => ({
    table,
    time: 'expires_at',
    before: sql`${before}`,
    role: 'tenantry_app',
  })
  return [
    past('interactions', now),
    past('sign_ins', now),
    past('authorization_codes', usedBefore),
    past('device_codes', now),
  ]
}
