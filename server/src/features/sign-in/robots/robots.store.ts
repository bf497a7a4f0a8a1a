import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'

export const robotsSetting = 'auth.robots'

export const selectRobots = (db: Db) =>
  db.one<{ value: unknown }>(sql`select value from global_settings where key = ${robotsSetting}`)

/** Returns 1 for the first use of a challenge, else 0. */
export const insertSpentChallenge = (db: Db, hash: Buffer, expiresAt: Date) =>
  db.run(sql`
    insert into spent_challenges (signature_hash, expires_at) values (${hash}, ${expiresAt})
    on conflict do nothing`)

export const oldSpentChallenges = (now: Date): ExpiredRows => ({
  table: 'spent_challenges',
  time: 'expires_at',
  before: sql`${now}`,
  role: 'tenantry_app',
})
