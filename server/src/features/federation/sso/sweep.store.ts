import type { ExpiredRows } from '../../../db/sweep.ts'

/** Ways to a provider that were not gone to their end, and outcomes of 30 days ago (docs/contract.md, "Enterprise sign-in"). */
export const pastSignIns: ExpiredRows[] = [
  { table: 'sso_attempts', time: 'expires_at', before: 'now()' },
  { table: 'sso_outcomes', time: 'at', before: `now() - interval '30 days'` },
]
