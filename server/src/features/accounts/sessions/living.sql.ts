/** Parts of statements about sessions and sign-ins of browsers, both `s`. */
import sql, { type Sql } from 'sql-template-tag'

/** A condition: the session `s` of the account `a` lives. */
export const isLiving = (now: Date): Sql => sql`s.expires_at > ${now} and s.account_epoch = a.session_epoch`

/** A list of sessions is answered whole: those used last (decision 0102). */
export const listedMax = 200

export const lastUsedFirst = sql`order by s.last_used_at desc, s.id limit ${listedMax}`

/** The proofs that one was opened with, and further ones. */
export const withProofs = (proofs: readonly string[]): Sql =>
  sql`array(select distinct one from unnest(amr || ${[...proofs]}::text[]) one order by one)`
