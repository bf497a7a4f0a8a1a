import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import type { AuditLog, AuditPosition } from '../../audit/audit/audit.schemas.ts'
import type { Attempt, Delivery, Webhook } from './webhooks.schemas.ts'

/** A stored hook. Its position is the position of the next record. */
export interface HookRow extends Omit<Webhook, 'backlog' | 'failing_since' | 'last_error'>, AuditPosition {
  editor_tenant_id: string
  editor_id: number
  is_verified: boolean
  /** Why the last test failed; "" for a verified URL. */
  test_error: string
  version: number
  attempts: number
  skip_seal: number
  skip_index: number
  /** The number of records that expired before the hook delivered them, and that no gap event has reported. */
  missed: number
}

const columns = sql`id, tenant_id, url, to_json(events) as events, description, status, all_tenants, disabled_reason,
  editor_tenant_id, editor_id, verified_at is not null as is_verified, test_error, version, seal, index, attempts, skip_seal,
  skip_index, missed, ${isoTime('created_at')} as created_at, ${isoTime('last_delivered_at')} as last_delivered_at`

export const selectHooks = (db: Db, tenantId: string) =>
  db.many<HookRow>(sql`select ${columns} from webhooks where tenant_id = ${tenantId} order by id`)

export const selectHook = (db: Db, tenantId: string, id: number) =>
  db.one<HookRow>(sql`select ${columns} from webhooks where tenant_id = ${tenantId} and id = ${id}`)

/** Locks the hook until the transaction ends. */
export const selectHookForUpdate = (db: Db, tenantId: string, id: number) =>
  db.one<HookRow>(sql`
    select ${columns} from webhooks where tenant_id = ${tenantId} and id = ${id} for update`)

export const countHooks = (db: Db, tenantId: string) =>
  db.one<{ count: number }>(sql`select count(*) as count from webhooks where tenant_id = ${tenantId}`)

export interface NewHook extends Pick<
  HookRow,
  'tenant_id' | 'url' | 'events' | 'description' | 'all_tenants'
> {
  editor_tenant_id: string
  editor_id: number
  position: AuditPosition
}

/** Returns the stored hook. */
export const insertHook = (db: Db, row: NewHook, now: Date): Promise<HookRow> =>
  db.only<HookRow>(sql`
    insert into webhooks (tenant_id, url, events, description, all_tenants, created_at, editor_tenant_id, editor_id, seal,
      index, next_attempt_at)
    values (${row.tenant_id}, ${row.url}, ${row.events}, ${row.description}, ${row.all_tenants}, ${now},
      ${row.editor_tenant_id}, ${row.editor_id}, ${row.position.seal}, ${row.position.index}, ${now})
    returning ${columns}`)

/** Stores an edited hook, which is due at once, and returns it. A new URL must answer a test first. */
export const updateHook = async (
  db: TransactionDb,
  row: HookRow,
  now: Date,
): Promise<HookRow | undefined> => {
  db.send(sql`
    update webhooks
    set url = ${row.url}, events = ${row.events}, description = ${row.description}, status = ${row.status},
      disabled_reason = ${row.disabled_reason}, editor_tenant_id = ${row.editor_tenant_id}, editor_id = ${row.editor_id},
      verified_at = case when url = ${row.url} then verified_at end,
      test_error = case when url = ${row.url} then test_error else '' end, attempts = ${row.attempts},
      next_attempt_at = ${now}, version = version + 1
    where tenant_id = ${row.tenant_id} and id = ${row.id}`)
  return selectHook(db, row.tenant_id, row.id)
}

/** Deleting the row deletes its deliveries. */
export const deleteHookRow = (db: TransactionDb, tenantId: string, id: number): void => {
  db.send(sql`delete from webhook_secrets where webhook_tenant_id = ${tenantId} and webhook_id = ${id}`)
  db.send(sql`delete from webhooks where tenant_id = ${tenantId} and id = ${id}`)
}

/** Stores that the URL is verified. Returns 0 if it is verified already, or has changed meanwhile. */
export const updateVerified = (db: Db, { tenant_id, id, url }: HookRow, now: Date) =>
  db.run(sql`
    update webhooks set verified_at = ${now}, test_error = '', next_attempt_at = ${now}
    where tenant_id = ${tenant_id} and id = ${id} and url = ${url} and verified_at is null`)

/** Stores why a test failed. Does nothing for a verified URL. */
export const updateTestError = (db: Db, { tenant_id, id, url }: HookRow, error: string) =>
  db.run(sql`
    update webhooks set test_error = ${error}
    where tenant_id = ${tenant_id} and id = ${id} and url = ${url} and verified_at is null`)

/** Ends the pause after a failed attempt. Returns 0 if the hook awaits no further attempt. */
export const updateDue = (db: Db, { tenant_id, id, url }: HookRow, now: Date) =>
  db.run(sql`
    update webhooks set next_attempt_at = ${now}
    where tenant_id = ${tenant_id} and id = ${id} and url = ${url} and attempts > 0 and next_attempt_at > ${now}`)

/** Moves a hook to a position. The hook skips records before `skipTo`. */
export const updatePosition = (
  db: TransactionDb,
  { tenant_id, id }: HookRow,
  {
    position,
    skipTo,
    attempts,
    now,
  }: { position: AuditPosition; skipTo: AuditPosition; attempts: number; now: Date },
): void =>
  db.send(sql`
    update webhooks
    set seal = ${position.seal}, index = ${position.index}, skip_seal = ${skipTo.seal}, skip_index = ${skipTo.index},
      attempts = ${attempts}, next_attempt_at = ${now}, version = version + 1
    where tenant_id = ${tenant_id} and id = ${id}`)

/** Marks the delivery that waits for another attempt as dead. */
export const updateOpenToDead = (db: TransactionDb, { tenant_id, id }: HookRow): void =>
  db.send(sql`
    update webhook_deliveries set status = 'dead', next_attempt_at = null
    where tenant_id = ${tenant_id} and webhook_id = ${id} and status in ('pending', 'failed')`)

export interface SecretRow {
  webhook_id: number
  id: string
  sealed: Buffer
}

/** The valid secrets of hooks, the newest secret of each first. */
export const selectSecrets = (db: Db, tenantId: string, hookIds: number[], now: Date) =>
  db.many<SecretRow>(sql`
    select webhook_id, id, sealed from webhook_secrets
    where webhook_tenant_id = ${tenantId} and webhook_id = any (${hookIds}) and (ends_at is null or ends_at > ${now})
    order by webhook_id, created_at desc, ends_at desc nulls first`)

export const insertSecret = (
  db: TransactionDb,
  { tenant_id, id: hookId }: Pick<HookRow, 'tenant_id' | 'id'>,
  { id, sealed, now }: { id: string; sealed: Buffer; now: Date },
): void =>
  db.send(sql`
    insert into webhook_secrets (id, webhook_tenant_id, webhook_id, sealed, created_at)
    values (${id}, ${tenant_id}, ${hookId}, ${sealed}, ${now})`)

/** Ends the present secret of a hook, and deletes its older secret. */
export const endSecrets = (
  db: TransactionDb,
  { tenant_id, id }: Pick<HookRow, 'tenant_id' | 'id'>,
  endsAt: Date,
): void => {
  db.send(sql`
    delete from webhook_secrets
    where webhook_tenant_id = ${tenant_id} and webhook_id = ${id} and ends_at is not null`)
  db.send(sql`
    update webhook_secrets set ends_at = ${endsAt} where webhook_tenant_id = ${tenant_id} and webhook_id = ${id}`)
}

/** Deletes every secret, after the loss of the key that encrypted them. */
export const deleteSecrets = (db: TransactionDb): void => db.send(sql`delete from webhook_secrets`)

const ofHook = (tenantId: string, hookId: number, status: Delivery['status'] | undefined): Sql => sql`
  from webhook_deliveries
  where tenant_id = ${tenantId} and webhook_id = ${hookId} ${status === undefined ? empty : sql`and status = ${status}`}`

const deliveryColumns = sql`
  id, event_id, event, status, attempts, coalesce(response_status, 0) as response_status, error,
  ${isoTime('created_at')} as created_at, ${isoTime('next_attempt_at')} as next_attempt_at,
  ${isoTime('delivered_at')} as delivered_at`

/** Newest first. */
export const selectDeliveries = (
  db: Db,
  { tenant_id: tenantId, id }: HookRow,
  status: Delivery['status'] | undefined,
  { limit, offset }: Slice,
) =>
  db.many<Delivery>(sql`
    select ${deliveryColumns}
    ${ofHook(tenantId, id, status)}
    order by id desc limit ${limit} offset ${offset}`)

export interface OwnEvent {
  log: AuditLog
  /** The digest of the record, in base64. */
  digest: string
}

export interface DeliveryRow extends Delivery {
  history: Attempt[]
  event_tenant_id: string | null
  own_event: OwnEvent | null
}

export const selectDelivery = (db: Db, { tenant_id, id }: HookRow, deliveryId: number) =>
  db.one<DeliveryRow>(sql`
    select ${deliveryColumns}, history, event_tenant_id, own_event
    from webhook_deliveries where tenant_id = ${tenant_id} and webhook_id = ${id} and id = ${deliveryId}`)

export const countDeliveries = (
  db: Db,
  { tenant_id: tenantId, id }: HookRow,
  status: Delivery['status'] | undefined,
  max: number,
) => db.one<{ count: number }>(countUpTo(max, ofHook(tenantId, id, status)))

export interface ExpiredSeal {
  number: number
  records: number
  /** The number of imported records. */
  imported: number
}

/**
 * Adds expiring records to the missed ones of each hook that has not delivered them. Runs in a transaction of
 * `tenantry_purge`.
 */
export const addMissed = (
  db: TransactionDb,
  tenantId: string,
  expiredTenantId: string,
  seals: ExpiredSeal[],
): void =>
  db.send(sql`
    update webhooks w
    set missed = missed + coalesce((
      select sum(greatest(records - greatest(imported, case when number = w.seal then w.index else 0 end), 0))
      from json_to_recordset(${JSON.stringify(seals)}::json) as expired (number bigint, records bigint, imported bigint)
      where number >= w.seal), 0)
    where w.tenant_id = ${tenantId} and (w.all_tenants or w.tenant_id = ${expiredTenantId})`)
