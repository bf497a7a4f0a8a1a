import sql, { empty } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime, type Slice } from '../../../db/columns.ts'
import type { FlagState } from './evaluation.ts'
import type { Flag, Override } from './flags.schemas.ts'

export type FlagRow = Flag & { salt: string }

const columns = sql`f.key, f.description, f.type, f.variants, f.enabled, f.off_variant, f.default_variant, f.rules, f.client_side,
  f.salt, f.version, ${isoTime('f.created_at')} as created_at, ${isoTime('f.updated_at')} as updated_at,
  (select count(*) from flag_overrides o where o.flag_key = f.key) as tenants`

const matching = (search: string | undefined) =>
  search === undefined
    ? empty
    : sql`where strpos(lower(f.key || ' ' || f.description), lower(${search}::text)) > 0`

export const selectFlags = (db: Db, search: string | undefined, { limit, offset }: Slice) =>
  db.many<FlagRow>(
    sql`select ${columns} from flags f ${matching(search)} order by f.key limit ${limit} offset ${offset}`,
  )

export const countFlags = (db: Db, search: string | undefined) =>
  db.only<{ count: number }>(sql`select count(*) as count from flags f ${matching(search)}`)

export const selectFlag = (db: Db, key: string) =>
  db.one<FlagRow>(sql`select ${columns} from flags f where f.key = ${key}`)

/** A revision above all earlier revisions, for the flags that a transaction changes. */
export const selectNextRevision = (db: Db) =>
  db.only<{ revision: number }>(sql`select nextval('flag_revisions') as revision`)

export interface FlagsSize {
  flags: number
  bytes: number
}

export const measureFlags = (db: Db) =>
  db.only<FlagsSize>(sql`
    select count(*) as flags,
      coalesce(sum(octet_length(variants::text) + octet_length(rules::text) + octet_length(description)), 0)::bigint as bytes
    from flags`)

/** `tenants` is a placeholder: a new flag has no overrides, and an update's caller replaces the number. */
const returned = sql`f.key, f.description, f.type, f.variants, f.enabled, f.off_variant, f.default_variant, f.rules, f.client_side,
  f.salt, f.version, ${isoTime('f.created_at')} as created_at, ${isoTime('f.updated_at')} as updated_at, 0 as tenants`

/** Can violate `flags_pkey`. */
export const insertFlag = (db: Db, flag: FlagRow, revision: number, now: Date) =>
  db.only<FlagRow>(sql`
    insert into flags as f (key, description, type, variants, enabled, off_variant, default_variant, rules, client_side, salt,
      revision, created_at, updated_at)
    values (${flag.key}, ${flag.description}, ${flag.type}, ${JSON.stringify(flag.variants)}::json, ${flag.enabled},
      ${flag.off_variant}, ${flag.default_variant}, ${JSON.stringify(flag.rules)}::json, ${flag.client_side}, ${flag.salt},
      ${revision}, ${now}, ${now})
    returning ${returned}`)

export const updateFlag = (db: Db, flag: FlagRow, revision: number, now: Date) =>
  db.only<FlagRow>(sql`
    update flags as f
    set description = ${flag.description}, variants = ${JSON.stringify(flag.variants)}::json, enabled = ${flag.enabled},
      off_variant = ${flag.off_variant}, default_variant = ${flag.default_variant},
      rules = ${JSON.stringify(flag.rules)}::json, client_side = ${flag.client_side}, salt = ${flag.salt},
      version = f.version + 1, revision = ${revision}, updated_at = ${now}
    where f.key = ${flag.key}
    returning ${returned}`)

/** Deleting the row deletes its overrides. */
export const deleteFlagRow = (db: TransactionDb, key: string): void =>
  db.send(sql`delete from flags where key = ${key}`)

/** Makes replicas read the flag again. */
export const updateRevision = (db: TransactionDb, key: string, revision: number): void =>
  db.send(sql`update flags set revision = ${revision} where key = ${key}`)

export const selectOverrides = (db: Db, key: string, { limit, offset }: Slice) =>
  db.many<Override>(sql`
    select override_tenant_id as tenant_id, variant from flag_overrides
    where flag_key = ${key} order by override_tenant_id limit ${limit} offset ${offset}`)

export const selectOverride = (db: Db, key: string, tenantId: string) =>
  db.one<{ variant: string }>(sql`
    select variant from flag_overrides where flag_key = ${key} and override_tenant_id = ${tenantId}`)

/** One of these variants that the override of some tenant uses. */
export const selectOverriding = (db: Db, key: string, variants: string[]) =>
  db.one<{ variant: string }>(sql`
    select variant from flag_overrides where flag_key = ${key} and variant = any (${variants}::text[]) limit 1`)

export const countOverrides = (db: Db) =>
  db.only<{ count: number }>(sql`select count(*) as count from flag_overrides`)

export const upsertOverride = (db: TransactionDb, key: string, { tenant_id, variant }: Override): void =>
  db.send(sql`
    insert into flag_overrides (flag_key, override_tenant_id, variant) values (${key}, ${tenant_id}, ${variant})
    on conflict (flag_key, override_tenant_id) do update set variant = excluded.variant`)

export const deleteOverrideRow = (db: TransactionDb, key: string, tenantId: string): void =>
  db.send(sql`delete from flag_overrides where flag_key = ${key} and override_tenant_id = ${tenantId}`)

export const selectTenantName = (db: Db, tenantId: string) =>
  db.one<{ name: string }>(sql`select name from tenants where id = ${tenantId} and deleted_at is null`)

/** Differs after every change of any flag, because revisions grow in the order of commits. */
export interface FlagsMark {
  revision: number
  count: number
}

export const selectMark = (db: Db) =>
  db.only<FlagsMark>(sql`select coalesce(max(revision), 0) as revision, count(*) as count from flags`)

export const selectRevisions = (db: Db) =>
  db.many<{ key: string; revision: number }>(sql`select key, revision from flags order by key`)

export type HeldFlag = FlagState & { revision: number }

/** Flags with the fields that decide their evaluation. */
export const selectHeldFlags = (db: Db, keys: string[]) =>
  db.many<HeldFlag>(sql`
    select f.key, f.variants, f.enabled, f.off_variant, f.default_variant, f.rules, f.client_side, f.salt, f.version, f.revision,
      coalesce((
        select json_object_agg(o.override_tenant_id, o.variant) from flag_overrides o where o.flag_key = f.key
      ), '{}') as overrides
    from flags f where f.key = any (${keys}::text[])`)
