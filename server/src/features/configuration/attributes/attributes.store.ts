import sql, { empty, raw } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { settingsOf } from '../../../db/scope.ts'
import type { Subject } from './attributes.schemas.ts'
import { attributeColumns, type StoredAttribute } from './attributes.sql.ts'

export const selectAttributes = (db: Db, subject?: Subject) =>
  db.many<StoredAttribute>(sql`
    select ${attributeColumns} from attributes
    ${subject === undefined ? empty : sql`where subject = ${subject}`} order by subject desc, key`)

export interface Place {
  subject: Subject
  key: string
}

export const selectAttribute = (db: Db, { subject, key }: Place) =>
  db.one<StoredAttribute>(
    sql`select ${attributeColumns} from attributes where subject = ${subject} and key = ${key}`,
  )

/**
 * Excludes writes of the attribute's values until the transaction ends. A second lock excludes other declarations, so
 * that their number can be counted.
 */
export const lockAttribute = (db: TransactionDb, { subject, key }: Place): void =>
  db.send(sql`
    select pg_advisory_xact_lock(hashtext('tenantry attributes'), 0),
      pg_advisory_xact_lock(hashtext('tenantry attribute'), hashtext(${`${subject} ${key}`}))`)

/** Excludes changes of all declarations until the transaction ends. */
export const lockAttributes = (db: TransactionDb): void =>
  db.send(sql`select pg_advisory_xact_lock_shared(hashtext('tenantry attributes'), 0)`)

/** Excludes changes of these declarations until the transaction ends. Other writes of their values go on. */
export const lockForWriting = (db: TransactionDb, subject: Subject, keys: string[]): void =>
  db.send(sql`
    select pg_advisory_xact_lock_shared(hashtext('tenantry attribute'), hashtext(${subject} || ' ' || key))
    from unnest(${keys}::text[]) as key`)

export const measureAttributes = (db: Db, subject: Subject) =>
  db.only<{ count: number; indexed: number; claims: number }>(sql`
    select count(*) filter (where subject = ${subject}) as count,
      count(*) filter (where subject = ${subject} and is_indexed) as indexed, count(claim) as claims
    from attributes`)

/** Can violate `attributes_claim_key`. */
export const upsertAttribute = (db: TransactionDb, attribute: StoredAttribute) =>
  db.only<StoredAttribute>(sql`
    insert into attributes (subject, key, schema, label, description, group_name, self_access, administrators, is_indexed,
      is_sensitive, claim, scim)
    values (${attribute.subject}, ${attribute.key}, ${JSON.stringify(attribute.schema)}::json,
      ${JSON.stringify(attribute.label)}::json, ${attribute.description}, ${attribute.group}, ${attribute.self},
      ${attribute.administrators}, ${attribute.indexed}, ${attribute.sensitive}, ${attribute.claim}, ${attribute.scim})
    on conflict (subject, key) do update set schema = excluded.schema, label = excluded.label,
      description = excluded.description, group_name = excluded.group_name, self_access = excluded.self_access,
      administrators = excluded.administrators, is_indexed = excluded.is_indexed, is_sensitive = excluded.is_sensitive,
      claim = excluded.claim, scim = excluded.scim
    returning ${attributeColumns}`)

/** Deletes the declaration. Maintenance deletes the values, which have no effect any more. */
export const deleteAttributeRow = (db: TransactionDb, { subject, key }: Place): void => {
  db.send(sql`delete from attributes where subject = ${subject} and key = ${key}`)
  db.send(sql`
    insert into attribute_removals (subject, key) values (${subject}, ${key}) on conflict (subject, key) do nothing`)
}

const tables = { user: 'user_attributes', tenant: 'tenant_attributes' } as const
const tableOf = (subject: Subject) => raw(tables[subject])
/** The column of a value's user. A value of a tenant has none. */
const userOf = (subject: Subject) => raw(subject === 'user' ? 'user_id' : '0::bigint')

/** Lets the role of purges see the values of a key in all tenants, until the transaction ends. */
export const enterAttribute = (db: TransactionDb, key: string): void =>
  db.send(settingsOf({ 'app.attribute_key': key }))

/** True if maintenance has not yet deleted all values of an earlier attribute of this key. */
export const selectRemoval = (db: Db, { subject, key }: Place) =>
  db.one<Place>(sql`select subject, key from attribute_removals where subject = ${subject} and key = ${key}`)

export const selectRemovals = (db: Db) =>
  db.many<Place>(sql`select subject, key from attribute_removals order by subject, key`)

export const deleteRemoval = (db: Db, { subject, key }: Place) =>
  db.run(sql`delete from attribute_removals where subject = ${subject} and key = ${key}`)

/** Deletes up to `limit` values of a key in all tenants. Runs as the role of purges. */
export const deleteValues = (db: Db, { subject, key }: Place, limit: number) =>
  db.run(sql`
    delete from ${tableOf(subject)} where key = ${key}
      and ctid = any (array(select ctid from ${tableOf(subject)} where key = ${key} limit ${limit}))`)

export interface StoredValue {
  tenant_id: string
  /** 0 for a tenant. */
  user_id: number
  value: unknown
}

const nowhere = '00000000-0000-0000-0000-000000000000'
export const batchRows = 1000

/** The next values of a key in all tenants, after the given value. Runs as the role of purges. */
export const selectValuesAfter = (db: Db, { subject, key }: Place, after?: StoredValue) =>
  db.many<StoredValue>(sql`
    select tenant_id, ${userOf(subject)} as user_id, value from ${tableOf(subject)}
    where key = ${key} and (tenant_id, ${userOf(subject)}) >
      (${after?.tenant_id ?? nowhere}::uuid, ${after?.user_id ?? 0}::bigint)
    order by tenant_id, ${userOf(subject)} limit ${batchRows}`)

export interface Mark extends Pick<StoredValue, 'tenant_id' | 'user_id'> {
  folded: string | null
  is_invalid: boolean
}

/** Stores what a declaration says of values. Runs as the role of purges. */
export const updateMarks = (db: Db, { subject, key }: Place, marks: Mark[]) =>
  db.run(sql`
    update ${tableOf(subject)} as v set folded = m.folded, is_invalid = m.is_invalid
    from json_to_recordset(${JSON.stringify(marks)}::json)
      as m (tenant_id uuid, user_id bigint, folded text, is_invalid boolean)
    where v.key = ${key} and v.tenant_id = m.tenant_id and ${subject === 'user' ? sql`v.user_id` : sql`0`} = m.user_id
      and (v.folded is distinct from m.folded or v.is_invalid <> m.is_invalid)`)

/** A user or tenant that has values. */
export interface Holder {
  tenantId: string
  /** 0 for a tenant. */
  userId: number
}

const held = ({ tenantId, userId }: Holder) =>
  userId === 0 ? sql`tenant_id = ${tenantId}` : sql`tenant_id = ${tenantId} and user_id = ${userId}`

const ofHolder = ({ userId }: Holder): Subject => (userId === 0 ? 'tenant' : 'user')

/** The values with an effect. */
export const selectValues = (db: Db, holder: Holder) =>
  db.many<{ key: string; value: unknown }>(sql`
    select v.key, v.value from ${tableOf(ofHolder(holder))} v
    join attributes a on a.subject = ${ofHolder(holder)} and a.key = v.key
    where ${held(holder)} and not v.is_invalid order by v.key`)

export interface NewValue {
  key: string
  value: unknown
  folded: string | null
}

export const upsertValues = (db: TransactionDb, holder: Holder, values: NewValue[], now: Date): void => {
  const columns = holder.userId === 0 ? ['tenant_id', 'key'] : ['tenant_id', 'user_id', 'key']
  const ids =
    holder.userId === 0
      ? sql`${holder.tenantId}::uuid`
      : sql`${holder.tenantId}::uuid, ${holder.userId}::bigint`
  db.send(sql`
    insert into ${tableOf(ofHolder(holder))} (${raw(columns.join(', '))}, value, folded, updated_at)
    select ${ids}, key, value, folded, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(values)}::json) as v (key text, value jsonb, folded text)
    on conflict (${raw(columns.join(', '))}) do update
    set value = excluded.value, folded = excluded.folded, is_invalid = false, updated_at = excluded.updated_at
    returning key`)
}

export const deleteKeys = (db: TransactionDb, holder: Holder, keys: string[]): void =>
  db.send(sql`delete from ${tableOf(ofHolder(holder))} where ${held(holder)} and key = any (${keys}::text[])`)

/** Deletes the values of the tenant in scope whose attributes nobody has declared. */
export const deleteUndeclared = (db: TransactionDb, tenantId: string): void => {
  for (const subject of ['user', 'tenant'] as const) {
    db.send(sql`
      delete from ${tableOf(subject)} where tenant_id = ${tenantId}
        and key <> all (array(select key from attributes where subject = ${subject}))`)
  }
}

/** The next values of a key in the tenant in scope, after the given value. */
export const selectValuesOfTenantAfter = (
  db: Db,
  { subject, key }: Place,
  tenantId: string,
  after?: StoredValue,
) =>
  db.many<StoredValue>(sql`
    select tenant_id, ${userOf(subject)} as user_id, value from ${tableOf(subject)}
    where key = ${key} and tenant_id = ${tenantId} and ${userOf(subject)} > ${after?.user_id ?? -1}::bigint
    order by ${userOf(subject)} limit ${batchRows}`)

export const insertUserValues = (
  db: TransactionDb,
  tenantId: string,
  values: (NewValue & { user_id: number })[],
  now: Date,
): void =>
  db.send(sql`
    insert into user_attributes (tenant_id, user_id, key, value, folded, updated_at)
    select ${tenantId}::uuid, user_id, key, value, folded, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(values)}::json) as v (user_id bigint, key text, value jsonb, folded text)
    returning key`)

/** The values of a user and their tenant that tokens carry, by their claims. */
export const selectClaims = (db: Db, { tenantId, userId }: Holder) =>
  db.many<{ claim: string; value: unknown }>(sql`
    select a.claim, v.value from attributes a
    join user_attributes v on v.tenant_id = ${tenantId} and v.user_id = ${userId} and v.key = a.key and not v.is_invalid
    where a.subject = 'user' and a.claim is not null
    union all
    select a.claim, v.value from attributes a
    join tenant_attributes v on v.tenant_id = ${tenantId} and v.key = a.key and not v.is_invalid
    where a.subject = 'tenant' and a.claim is not null`)
