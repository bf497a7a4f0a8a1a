import type { ExpiredRows } from '../../../db/sweep.ts'

/** Unfinished attempts, and outcomes older than 30 days (docs/contract.md, "Enterprise sign-in"). */
export const pastSignIns: ExpiredRows[] = [
  { table: 'sso_attempts', time: 'expires_at', before: 'now()' },
  { table: 'sso_outcomes', time: 'at', before: `now() - interval '30 days'` },
]
