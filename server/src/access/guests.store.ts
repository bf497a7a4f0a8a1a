import sql from 'sql-template-tag'
import type { Db } from '../db/client.ts'
import type { GuestPart } from './permissions.ts'

/** The user or service account that sent a setup link. */
export interface Maker {
  tenantId: string
  userId: number
}

export interface GuestRow {
  link_id: string
  email: string
  parts: GuestPart[]
  role_ids: number[]
  may_activate: boolean
  connection_id: string | null
  scim_account_id: number | null
  is_own_connection: boolean
  is_activated: boolean
  maker_tenant_id: string
  created_by: number
  tenant_slug: string
}

/** A guest whose token and link are valid, in an enabled tenant. */
export const selectGuest = (db: Db, tenantId: string, tokenHash: Buffer, now: Date) =>
  db.one<GuestRow>(sql`
    select l.id as link_id, l.email, l.parts, array_to_json(l.role_ids) as role_ids, l.may_activate, l.connection_id,
      l.scim_account_id, l.is_own_connection, l.activated_at is not null as is_activated, l.maker_tenant_id, l.created_by, t.slug as tenant_slug
    from setup_guests g
    join setup_links l on l.tenant_id = g.tenant_id and l.id = g.link_id
    join tenants t on t.id = l.tenant_id and t.status = 1 and t.deleted_at is null
    where g.tenant_id = ${tenantId} and g.token_hash = ${tokenHash} and g.expires_at > ${now}
      and l.ended_at is null and l.expires_at > ${now}`)
