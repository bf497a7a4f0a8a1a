import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { AttributeMapping, GroupMapping } from './connections.schemas.ts'
import type { OidcConfig } from './oidc.ts'
import type { SamlConfig } from './saml-connection.ts'

export interface ConnectionFields {
  name: string
  status: 'draft' | 'active' | 'disabled'
  config: OidcConfig | SamlConfig
  /** The time at which managers are notified of an expiring certificate. Null for never, and after the notice. */
  warn_at: Date | null
  /** The time of the next read of the metadata; null without an address. */
  look_at: Date | null
  /** Different metadata. Managers have been notified of them. */
  found_metadata: string | null
  jit: boolean
  default_role_ids: number[]
  trust_mfa: boolean
  attributes: AttributeMapping[]
  session_seconds: number
  application_id: number | null
}

export interface ConnectionRow extends ConnectionFields {
  id: string
  type: 'oidc' | 'saml'
  scim_account_id: number | null
  /** Null until a test of the present fields has passed. */
  tested_at: Date | null
  created_at: string
  updated_at: string
  last_used_at: string
  directory_error: string
  directory_error_at: string
  domains: string[]
  group_mappings: GroupMapping[]
}

const columns = (tenantId: string): Sql => sql`
  c.id, c.type, c.name, c.status, c.config, c.jit, array_to_json(c.default_role_ids) as default_role_ids, c.trust_mfa,
  c.attributes, c.session_seconds, c.application_id, c.scim_account_id, c.tested_at, c.warn_at, c.look_at, c.found_metadata,
  c.directory_error, ${isoTime('c.directory_error_at')} as directory_error_at,
  ${isoTime('c.created_at')} as created_at,
  ${isoTime('c.updated_at')} as updated_at, ${isoTime('c.last_used_at')} as last_used_at,
  coalesce((select json_agg(d.domain order by d.domain) from domains d
    where d.tenant_id = ${tenantId} and d.connection_id = c.id), '[]') as domains,
  coalesce((select json_agg(json_build_object('group', g.group_name, 'role_id', g.role_id) order by g.group_name, g.role_id)
    from group_mappings g where g.tenant_id = ${tenantId} and g.connection_id = c.id), '[]') as group_mappings`

export const selectConnections = (db: Db, tenantId: string) =>
  db.many<ConnectionRow>(sql`
    select ${columns(tenantId)} from connections c where c.tenant_id = ${tenantId} order by c.created_at, c.id`)

export const selectConnection = (db: Db, tenantId: string, id: string) =>
  db.one<ConnectionRow>(sql`
    select ${columns(tenantId)} from connections c where c.tenant_id = ${tenantId} and c.id = ${id}`)

/** The connection to which a domain leads. */
export const selectConnectionOfDomain = (db: Db, tenantId: string, domainId: number) =>
  db.one<ConnectionRow>(sql`
    select ${columns(tenantId)} from connections c
    where c.tenant_id = ${tenantId}
      and c.id = (select d.connection_id from domains d where d.tenant_id = ${tenantId} and d.id = ${domainId})`)

export const insertConnection = (
  db: TransactionDb,
  tenantId: string,
  { id, type, now, ...row }: ConnectionFields & { id: string; type: ConnectionRow['type']; now: Date },
): void =>
  db.send(sql`
    insert into connections (tenant_id, id, type, name, status, config, jit, default_role_ids, trust_mfa, attributes,
      session_seconds, application_id, warn_at, look_at, found_metadata, created_at, updated_at)
    values (${tenantId}, ${id}, ${type}, ${row.name}, ${row.status}, ${JSON.stringify(row.config)}, ${row.jit},
      ${row.default_role_ids}::bigint[], ${row.trust_mfa}, ${JSON.stringify(row.attributes)}, ${row.session_seconds},
      ${row.application_id}, ${row.warn_at}, ${row.look_at}, ${row.found_metadata}, ${now}, ${now})`)

/** Replaces the fields. A new configuration needs a new test. */
export const updateConnection = (
  db: TransactionDb,
  tenantId: string,
  { id, now, ...row }: ConnectionFields & { id: string; now: Date },
): void =>
  db.send(sql`
    update connections
    set name = ${row.name}, status = ${row.status}, config = ${JSON.stringify(row.config)}, jit = ${row.jit},
      default_role_ids = ${row.default_role_ids}::bigint[], trust_mfa = ${row.trust_mfa},
      attributes = ${JSON.stringify(row.attributes)}, session_seconds = ${row.session_seconds}, application_id = ${row.application_id}, warn_at = ${row.warn_at},
      look_at = ${row.look_at}, found_metadata = ${row.found_metadata}, updated_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`)

/** Connections whose metadata are due for a read. The connection with the longest delay comes first. */
export const selectDueMetadata = (db: Db, now: Date, limit: number) =>
  db.many<{ tenant_id: string; id: string }>(sql`
    select tenant_id, id from connections where look_at <= ${now} order by look_at limit ${limit}`)

/**
 * Stores the result of a read. Returns 0 if another process has read the metadata, or the connection has changed
 * meanwhile.
 */
export const updateMetadataRead = (
  db: Db,
  tenantId: string,
  { id, dueAt, nextAt, found }: { id: string; dueAt: Date; nextAt: Date; found: string | null },
) =>
  db.run(sql`
    update connections set look_at = ${nextAt}, found_metadata = ${found}
    where tenant_id = ${tenantId} and id = ${id} and look_at = ${dueAt}`)

/** Can violate `connections_directory_key`. */
export const updateDirectory = (db: Db, tenantId: string, id: string, accountId: number | null) =>
  db.run(sql`
    update connections set scim_account_id = ${accountId}, directory_error = '', directory_error_at = null
    where tenant_id = ${tenantId} and id = ${id}`)

export const updateUntested = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`update connections set tested_at = null where tenant_id = ${tenantId} and id = ${id}`)

export const deleteConnectionRow = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`delete from connections where tenant_id = ${tenantId} and id = ${id}`)

/** Assigns exactly these domains of the tenant to the connection. Returns their number. */
export const updateDomainsOf = async (
  db: TransactionDb,
  tenantId: string,
  id: string,
  domains: string[],
): Promise<number> => {
  db.send(sql`
    update domains set connection_id = null
    where tenant_id = ${tenantId} and connection_id = ${id} and domain <> all (${domains}::text[])`)
  return db.run(sql`
    update domains set connection_id = ${id}
    where tenant_id = ${tenantId} and domain = any (${domains}::text[]) and coalesce(connection_id, ${id}) = ${id}`)
}

export const replaceMappings = (
  db: TransactionDb,
  tenantId: string,
  id: string,
  mappings: GroupMapping[],
): void => {
  db.send(sql`delete from group_mappings where tenant_id = ${tenantId} and connection_id = ${id}`)
  if (mappings.length === 0) return
  const [groups, roles] = [mappings.map(({ group }) => group), mappings.map(({ role_id: role }) => role)]
  db.send(sql`
    insert into group_mappings (tenant_id, connection_id, group_name, role_id)
    select ${tenantId}::uuid, ${id}::uuid, m.group_name, m.role_id
    from unnest(${groups}::text[], ${roles}::bigint[]) as m(group_name, role_id)
    on conflict do nothing`)
}

/** Can violate `connection_secrets_pkey`: the ids of all tenants are unique. */
export const insertSecret = (db: TransactionDb, tenantId: string, id: string, sealed: Buffer) =>
  db.run(sql`
    insert into connection_secrets (id, connection_tenant_id, sealed) values (${id}, ${tenantId}, ${sealed})`)

export const updateSecret = (db: TransactionDb, tenantId: string, id: string, sealed: Buffer): void =>
  db.send(sql`
    update connection_secrets set sealed = ${sealed} where id = ${id} and connection_tenant_id = ${tenantId}`)

export const deleteSecret = (db: TransactionDb, tenantId: string, id: string): void =>
  db.send(sql`delete from connection_secrets where id = ${id} and connection_tenant_id = ${tenantId}`)
