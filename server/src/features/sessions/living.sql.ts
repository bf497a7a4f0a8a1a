import sql, { type Sql } from 'sql-template-tag'

/** A condition: the session `s` of the account `a` lives. */
export const isLiving = (now: Date): Sql => sql`s.expires_at > ${now} and s.account_epoch = a.session_epoch`
