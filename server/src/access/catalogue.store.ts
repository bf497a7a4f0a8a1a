import { isDeepStrictEqual } from 'node:util'
import { builtInTemplates } from './built-in-templates.ts'
import { builtInIdMax, builtInPermissions, builtInTenant, startingRole } from './permissions.ts'
import type { MigrationClient } from '../db/migrate.ts'
import { fold } from '../values/text.ts'

const templateRows = builtInTemplates.map(({ id, name, description }) => ({
  id,
  name,
  name_folded: fold(name),
  description,
  given_to_new_users: name === startingRole,
}))

/** The permissions that the rules of the built-in templates select. */
const heldRows = builtInTemplates.flatMap((template) =>
  builtInPermissions
    .filter((permission) => template.holds(permission))
    .map(({ id, platform_only }) => ({ template_id: template.id, permission_id: id, platform_only })),
)

/**
 * Writes the program's built-in permissions, templates and tenant to the database, in one transaction under the
 * migration lock. Does nothing if they are up to date. Throws an Error of one line if the product has defined a
 * permission whose code is now built in.
 */
export const syncCatalogue = async (client: MigrationClient): Promise<void> => {
  if (await isCurrent(client)) return
  await client.query('begin')
  try {
    await writeCatalogue(client)
    await client.query('commit')
  } catch (err) {
    await client.query('rollback')
    throw err
  }
}

const isCurrent = async (client: MigrationClient): Promise<boolean> => {
  const permissions = await client.query(
    `select id, code, name, module, description, platform_only from permissions where id <= ${builtInIdMax} order by id`,
  )
  const templates = await client.query(
    `select id, name, name_folded, description, given_to_new_users from role_templates where is_builtin order by id`,
  )
  const held = await client.query(
    `select template_id, permission_id, tp.platform_only
     from template_permissions tp
     join role_templates m on m.id = template_id
     where is_builtin and permission_id <= ${builtInIdMax}
     order by template_id, permission_id`,
  )
  return isDeepStrictEqual(
    [permissions.rows, templates.rows, held.rows],
    [builtInPermissions, templateRows, heldRows],
  )
}

const writeCatalogue = async (client: MigrationClient): Promise<void> => {
  // Other replicas can change the catalogue at the same time.
  await client.query(`select pg_advisory_xact_lock(hashtext('tenantry catalogue'))`)
  await refuseTakenCodes(client)
  await client.query(
    `insert into permissions
     select * from jsonb_to_recordset($1::jsonb)
       as p(id integer, code text, name text, module text, description text, platform_only boolean)
     on conflict (id) do update set (code, name, module, description, platform_only) =
       (excluded.code, excluded.name, excluded.module, excluded.description, excluded.platform_only)`,
    [JSON.stringify(builtInPermissions)],
  )
  await client.query(
    `insert into role_templates (id, name, name_folded, description, given_to_new_users, is_builtin, created_at)
     select t.*, true, now() from jsonb_to_recordset($1::jsonb)
       as t(id integer, name text, name_folded text, description text, given_to_new_users boolean)
     on conflict (id) do update set (name, name_folded, description, given_to_new_users) =
       (excluded.name, excluded.name_folded, excluded.description, excluded.given_to_new_users)`,
    [JSON.stringify(templateRows)],
  )
  await client.query(
    `delete from template_permissions
     where permission_id <= ${builtInIdMax} and template_id in (select id from role_templates where is_builtin)`,
  )
  await client.query(
    `insert into template_permissions (template_id, permission_id, platform_only)
     select * from jsonb_to_recordset($1::jsonb)
       as h(template_id integer, permission_id integer, platform_only boolean)`,
    [JSON.stringify(heldRows)],
  )
  await client.query(
    `insert into tenants (id, name, slug, created_at, updated_at) values ($1, $2, $3, now(), now())
     on conflict (id) do nothing`,
    [builtInTenant.id, builtInTenant.name, builtInTenant.slug],
  )
}

/**
 * Throws if the product defined a code before this version built it in. The product must first delete that permission.
 */
const refuseTakenCodes = async (client: MigrationClient): Promise<void> => {
  const { rows } = await client.query<{ code: string }>(
    `select code from permissions
     where id > ${builtInIdMax} and removed_at is null and code = any ($1) order by code`,
    [builtInPermissions.map(({ code }) => code)],
  )
  if (rows.length === 0) return
  const codes = rows.map(({ code }) => code).join(', ')
  throw new Error(
    `this version builds in permissions that the product has defined: ${codes}. ` +
      'Start the version before, and delete them there (DELETE /rbac/permissions/{id})',
  )
}
