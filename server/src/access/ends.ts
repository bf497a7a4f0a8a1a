/** The end of a gift of authority: a role, an eligibility, or the roles of an invitation. */
import { invalid } from '../errors/app-error.ts'

/** docs/contract.md, "Roles that end". */
const soonestMs = 5 * 60_000
const latestMs = 400 * 24 * 3_600_000

/**
 * Reads an end. Undefined: no end. Throws 400 unless it lies 5 minutes to 400 days ahead.
 *
 * This replica's clock only bounds the wish. The database's clock decides when the gift ends (held-roles.sql.ts), so a
 * wrong clock gives nobody more. A clock that is less than 5 minutes slow accepts no past end. With a slower one the
 * gift counts nowhere.
 */
export const readEnd = (field: string, text: string | null | undefined, now: Date): Date | undefined => {
  if (text === undefined || text === null) return undefined
  const end = new Date(text)
  const aheadMs = end.getTime() - now.getTime()
  if (aheadMs >= soonestMs && aheadMs <= latestMs) return end
  throw invalid(field, 'must be 5 minutes to 400 days ahead')
}
