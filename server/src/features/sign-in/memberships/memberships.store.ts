import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { takesLong } from '../../../db/columns.ts'

export interface MembershipRow {
  tenant_id: string
  name: string
  slug: string
  tenant_status: 0 | 1
  user_id: number
  username: string
  status: 0 | 1
}

/** The most listed memberships, because the list has no pages. */
const listedMax = 1000

/** The users of an account in all existing tenants. Runs in the scope of the account. */
export const selectMemberships = (db: Db, accountId: number) =>
  db.many<MembershipRow>(
    takesLong(sql`
      select t.id as tenant_id, t.name, t.slug, t.status as tenant_status, u.id as user_id, u.username, u.status
      from users u
      join tenants t on t.id = u.tenant_id
      where u.account_id = ${accountId} and t.deleted_at is null
      order by t.name, t.id limit ${listedMax}`),
  )

/** Locks the user of an account in the tenant in scope until the transaction ends. Returns the status of both. */
export const selectMemberForUpdate = (db: Db, tenantId: string, accountId: number) =>
  db.one<{ id: number; username: string; status: number; tenant_status: number }>(sql`
    select u.id, u.username, u.status, t.status as tenant_status
    from users u
    join tenants t on t.id = u.tenant_id
    where u.tenant_id = ${tenantId} and u.account_id = ${accountId}
    for no key update of u`)
