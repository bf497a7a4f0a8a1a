/** The attributes of users that directories and connections fill. */
import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import type { Holder } from './attributes.store.ts'

/** The attributes that a directory fills, with their paths. */
export const selectPaths = (db: Db) =>
  db.many<{ key: string; path: string }>(sql`
    select key, scim as path from attributes
    where subject = 'user' and scim is not null and administrators = 'write' order by key`)

const isPushed = ({ tenantId, userId }: Holder) =>
  sql`exists (select 1 from scim_users where tenant_id = ${tenantId} and user_id = ${userId})`

/** Whether a directory has pushed the user. */
export const selectPushed = (db: Db, holder: Holder) =>
  db.only<{ is_pushed: boolean }>(sql`select ${isPushed(holder)} as is_pushed`)

/**
 * The keys among `keys` that the user's directory fills. For a user without a directory, those that an active connection
 * fills to which the user is linked.
 */
export const selectFilled = (db: Db, holder: Holder, keys: string[]) =>
  db.many<{ key: string }>(sql`
    select a.key from attributes a
    where a.subject = 'user' and a.administrators = 'write' and a.key = any (${keys}::text[])
      and case when ${isPushed(holder)} then a.scim is not null else exists (
        select 1 from sso_links l
        join connections c on c.tenant_id = l.tenant_id and c.id = l.connection_id
        where l.tenant_id = ${holder.tenantId} and l.user_id = ${holder.userId} and c.status = 'active'
          and c.scim_account_id is null and c.attributes @> jsonb_build_array(jsonb_build_object('key', a.key))) end
    order by a.key`)
