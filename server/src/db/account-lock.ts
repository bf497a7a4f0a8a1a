import sql, { type Sql } from 'sql-template-tag'

/** Locks the account of a tenant's user until the transaction ends. */
export const lockingAccountOfUser = (tenantId: string, userId: number): Sql => sql`
  select a.id from users u
  join accounts a on a.id = u.account_id
  where u.tenant_id = ${tenantId} and u.id = ${userId}
  for no key update of a`
