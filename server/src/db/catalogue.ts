import pg, { type ClientBase } from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { builtInTenant, isPlatformOnly, moduleOf, permissions, systemRoles } from '../permissions.ts'
import { fold } from '../text.ts'

/** The catalogue as rows of the table `permissions`. */
const catalogueRows = permissions.map((permission) => ({
  id: permission.id,
  code: permission.code,
  name: permission.name,
  module: moduleOf(permission.code),
  description: permission.description,
  platform_only: isPlatformOnly(permission.code),
}))

/** Every system role with the permissions it holds by rule. */
const systemRoleRows = systemRoles.map((role) => ({
  name: role.name,
  name_folded: fold(role.name),
  description: role.description,
  platform_only: role.platformOnly,
  permission_ids: permissions.filter(({ code }) => role.holds(code)).map(({ id }) => id),
}))

/** Creates what is missing of a tenant's system roles and of what they hold. Runs in the scope of the tenant. */
export const insertSystemRoles = (tenantId: string, now: Date): Sql =>
  insertSystemRolesOf(sql`${tenantId}::uuid`, now)

const insertSystemRolesOf = (tenant: Sql, now: Date): Sql => sql`
  with wanted as (
    select * from jsonb_to_recordset(${JSON.stringify(systemRoleRows)}::jsonb)
      as w(name text, name_folded text, description text, platform_only boolean, permission_ids integer[])
    where not platform_only or ${tenant} = ${builtInTenant.id}::uuid
  ), created as (
    insert into roles (tenant_id, name, name_folded, description, is_system, created_at)
    select ${tenant}, name, name_folded, description, true, ${now}::timestamptz from wanted
    on conflict (tenant_id, name_folded) do nothing
    returning id, name
  ), present as (
    select id, name from created
    union
    select id, name from roles where tenant_id = ${tenant} and is_system
  )
  insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
  select ${tenant}, present.id, p.id, p.platform_only
  from wanted
  join present using (name)
  join permissions p on p.id = any (wanted.permission_ids)
  on conflict do nothing`

/**
 * Brings the permission catalogue, the built-in tenant and the system roles of all tenants up to the program, under
 * the migration lock, in one transaction. Does nothing when the catalogue is the program's already.
 */
export const syncCatalogue = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query(
    'select id, code, name, module, description, platform_only from permissions order by id',
  )
  if (JSON.stringify(rows) === JSON.stringify(catalogueRows)) return
  await client.query('begin')
  try {
    await writeCatalogue(client)
    await client.query('commit')
  } catch (err) {
    await client.query('rollback')
    throw err
  }
}

const writeCatalogue = async (client: ClientBase): Promise<void> => {
  await client.query(
    `insert into permissions
     select * from jsonb_to_recordset($1::jsonb)
       as p(id integer, code text, name text, module text, description text, platform_only boolean)
     on conflict (id) do update set (code, name, module, description, platform_only) =
       (excluded.code, excluded.name, excluded.module, excluded.description, excluded.platform_only)`,
    [JSON.stringify(catalogueRows)],
  )
  await client.query(
    `insert into tenants (id, name, slug, created_at, updated_at) values ($1, $2, $3, now(), now())
     on conflict (id) do nothing`,
    [builtInTenant.id, builtInTenant.name, builtInTenant.slug],
  )
  await client.query(insertAllSystemRoles(new Date()))
}

/** The same for all tenants, each in its scope: one statement, which can have no values, however many they are. */
const insertAllSystemRoles = (now: Date): string => {
  const { strings, values } = insertSystemRolesOf(raw('tenant'), now)
  const literals = values.map((value) =>
    pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)),
  )
  return `do $sync$
    declare tenant uuid;
    begin
      perform set_config('role', 'tenantry_app', true);
      for tenant in select id from tenants loop
        perform set_config('app.tenant_id', tenant::text, true);
        ${String.raw({ raw: strings }, ...literals)};
      end loop;
    end $sync$`
}
