/** Parts of statements about sessions and browser sign-ins, both named `s`. */
import sql, { type Sql } from 'sql-template-tag'

/** SQL: true if the session `s` of the account `a` has neither expired nor ended. */
export const isLiving = (now: Date): Sql => sql`s.expires_at > ${now} and s.account_epoch = a.session_epoch`

/** The most listed sessions, those used last: the list has no pages (decision 0102). */
export const listedMax = 200

export const lastUsedFirst = sql`order by s.last_used_at desc, s.id limit ${listedMax}`

/** SQL: the stored proofs of `s` with further proofs. */
export const withProofs = (proofs: readonly string[]): Sql =>
  sql`array(select distinct one from unnest(amr || ${[...proofs]}::text[]) one order by one)`
