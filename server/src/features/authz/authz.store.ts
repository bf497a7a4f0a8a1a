import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../db/client.ts'
import { codesHeld, holdersOf } from '../../db/templates.ts'

/** Takes the turn of a caller until the transaction ends; not free while a transaction of any replica has it. */
export const takeTurn = (db: TransactionDb, caller: string) =>
  db.one<{ is_free: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('tenantry preview'), hashtext(${caller})) as is_free`)

/** The codes among these that the catalogue has, and those that count for a user, at one moment. */
export const selectDecision = (db: Db, tenantId: string, userId: number, codes: string[]) =>
  db.one<{ known: string[]; held: string[] }>(sql`
    select array(select code from permissions where code = any (${codes}::text[]) and removed_at is null) as known,
      case when u.status = 1 and t.status = 1 then array(
        select code from (${codesHeld(sql`${tenantId}`, sql`u.id`)}) as codes where code = any (${codes}::text[]))
      else '{}' end as held
    from ${holdersOf(tenantId)} u
    join tenants t on t.id = u.tenant_id
    where u.id = ${userId}`)
