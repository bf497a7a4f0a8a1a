import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'

export const updateConnectionOf = (
  db: TransactionDb,
  tenantId: string,
  linkId: string,
  connectionId: string,
): void =>
  db.send(sql`
    update setup_links set connection_id = ${connectionId}, is_own_connection = true
    where tenant_id = ${tenantId} and id = ${linkId}`)

/**
 * Marks the links of a connection as activated. Returns the service account that a guest created and the connection
 * names: it is no longer the link's. Another account stays the link's, and ends with it.
 */
export const updateActivated = (db: TransactionDb, tenantId: string, connectionId: string, now: Date) =>
  db.many<{ kept_account_id: number | null }>(sql`
    with activated as (
      select l.id, c.scim_account_id as kept_account_id from setup_links l
      left join connections c
        on c.tenant_id = l.tenant_id and c.id = l.connection_id and c.scim_account_id = l.scim_account_id
      where l.tenant_id = ${tenantId} and l.connection_id = ${connectionId} and l.activated_at is null
      for update of l
    )
    update setup_links l set activated_at = ${now},
      scim_account_id = case when kept_account_id is null then l.scim_account_id end,
      scim_role_id = case when kept_account_id is null then l.scim_role_id end
    from activated where l.tenant_id = ${tenantId} and l.id = activated.id
    returning kept_account_id`)

export const updateWithoutConnection = (db: TransactionDb, tenantId: string, connectionId: string): void =>
  db.send(sql`
    update setup_links set connection_id = null, is_own_connection = false
    where tenant_id = ${tenantId} and connection_id = ${connectionId}`)
