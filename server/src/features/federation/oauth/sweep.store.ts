import sql from 'sql-template-tag'
import type { ExpiredRows } from '../../../db/sweep.ts'

/** A code that was used is known for an hour: its second use ends the session that came of it. */
const usedCodeMs = 3600_000

/** Rows whose time is over. */
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
