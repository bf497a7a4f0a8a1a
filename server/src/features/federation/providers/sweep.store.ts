import type { ExpiredRows } from '../../../db/sweep.ts'

/** Unfinished attempts. */
export const pastAttempts: ExpiredRows = {
  table: 'provider_attempts',
  time: 'expires_at',
  before: 'now()',
  role: 'tenantry_app',
}
