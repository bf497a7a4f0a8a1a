/** Declared settings and their rows. */
import sql from 'sql-template-tag'
import { ok, platformAdmin, unique, type Tenant } from './factories.ts'
import { parts } from './harness.ts'

/** A value and an attribute of a user, a secret that nothing opens, and a read of it, for tests that look at every table. */
export const insertSettingRows = async ({
  id: tenantId,
  admin,
}: Pick<Tenant, 'id' | 'admin'>): Promise<void> => {
  const db = parts.store.scoped({ tenantId })
  await db.run(sql`
    insert into user_settings (tenant_id, user_id, key, value, updated_at)
    values (${tenantId}, ${admin.userId}, 'key', '1', now())`)
  await db.run(sql`
    insert into user_attributes (tenant_id, user_id, key, value, updated_at)
    values (${tenantId}, ${admin.userId}, 'key', '1', now())`)
  await db.run(sql`
    insert into tenant_attributes (tenant_id, key, value, updated_at) values (${tenantId}, 'key', '1', now())`)
  await db.run(sql`
    insert into tenant_setting_secrets (tenant_id, key, id, sealed, version, updated_at)
    values (${tenantId}, 'key', ${`${tenantId} key`}, 'sealed', 1, now())`)
  await db.run(sql`insert into limit_notices (tenant_id, name, level) values (${tenantId}, 'users', 1)`)
  await db.run(sql`
    insert into setting_secret_reads (tenant_id, account_id, key, read_at) values (${tenantId}, 1, 'key', now())`)
}

/** Declares a setting of all scopes. Returns its key. */
export const declareSetting = async (definition: object, key = unique('declared.')): Promise<string> => {
  const root = await platformAdmin()
  ok(await root.put(`/settings/definitions/${key}`, { scopes: ['global', 'tenant', 'user'], ...definition }))
  return key
}
