/** Rows of eligibility and elevations, for tests that look at every table and at every endpoint. */
import sql from 'sql-template-tag'
import { decodeJwt } from 'jose'
import type { Caller } from './factories.ts'
import { parts } from './harness.ts'

/** Makes a user eligible for a role. */
export const insertEligible = ({ tenantId, userId }: Caller, roleId: number): Promise<number> =>
  parts.store.transaction({ tenantId }, (db) =>
    db.run(sql`
      insert into eligible_roles (tenant_id, user_id, role_id, max_minutes, given_by, given_at)
      values (${tenantId}, ${userId}, ${roleId}, 60, 0, now()) on conflict do nothing`),
  )

/** Starts a role in a session of a user who is eligible for it; resolves with the elevation's id. */
export const insertElevation = async (user: Caller, roleId: number): Promise<number> => {
  const { tenantId, userId, token } = user
  await insertEligible(user, roleId)
  const { id } = await parts.store.transaction({ tenantId }, (db) =>
    db.only<{ id: number }>(sql`
      insert into elevations (tenant_id, user_id, account_id, role_id, session_id, factor_ids, reason, started_at, ends_at)
      select ${tenantId}, id, account_id, ${roleId}, ${decodeJwt(token)['sid'] as string}, '{}', 'A ticket', now(),
        now() + interval '1 hour'
      from users where tenant_id = ${tenantId} and id = ${userId}
      returning id`),
  )
  return id
}
