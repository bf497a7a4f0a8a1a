import type { Db } from '../db/client.ts'
import { mayUse } from './application-use.ts'
import { selectCaller, type CallerRow } from './caller.store.ts'
import type { Caller } from './credential.ts'

/**
 * Reads a caller. Undefined as `selectCaller` says, and if the user lacks the permission that the application requires.
 * A second condition on the permissions would make the statement slower for every caller.
 */
export const readCaller = async (db: Db, caller: Caller, now: Date): Promise<CallerRow | undefined> => {
  const row = await selectCaller(db, caller, now)
  return row && mayUse(row, row.permissions) ? row : undefined
}
