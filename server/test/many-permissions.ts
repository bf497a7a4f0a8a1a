/** A catalogue as large as a product's can be. One by one, the API would take minutes. */
import sql from 'sql-template-tag'
import { asOwner } from './audit-chain.ts'

/** Adds 1,000 permissions in modules of fifty: `shop0:do0` to `shop19:do999`, with names as `Do 7`. */
export const addThousandPermissions = (): Promise<void> =>
  asOwner(
    sql`
      insert into permissions (id, code, name, module, description, platform_only)
      select 5000 + n, 'shop' || n / 50 || ':do' || n, 'Do ' || n, 'shop' || n / 50, '', false
      from generate_series(0, 999) n`,
    sql`
      insert into template_permissions (template_id, permission_id, platform_only)
      select m.id, 5000 + n, false from role_templates m, generate_series(0, 999) n
      where m.name in ('admin', 'platform-admin')`,
  )

export const removeThousandPermissions = (): Promise<void> =>
  asOwner(
    sql`delete from template_permissions where permission_id between 5000 and 5999`,
    sql`update permissions set removed_at = now() where id between 5000 and 5999`,
  )
