import sql, { type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import { isoTime } from '../../../db/columns.ts'
import type { AuditPosition } from '../../audit/audit/audit.schemas.ts'
import type { Attempt, Delivery } from './webhooks.schemas.ts'
import type { HookRow, OwnEvent } from './webhooks.store.ts'

/**
 * The lease of the replica that delivers for a tenant. If the replica does not renew it in time, another replica takes
 * it.
 */
const leaseLife = sql`interval '6 seconds'`

export interface DueHook {
  tenant_id: string
  id: number
  is_slow: boolean
}

/**
 * Webhooks with due deliveries, of tenants that no other replica has leased. Selects at most the given numbers of quick
 * and slow webhooks. The first webhook of each tenant comes before the second of any tenant. Runs in a transaction of
 * `tenantry_search`.
 */
export const selectDueHooks = (
  db: Db,
  { replicaId, now, quick, slow }: { replicaId: string; now: Date; quick: number; slow: number },
) =>
  db.many<DueHook>(sql`
    with due as materialized (
    select w.tenant_id, w.id, w.is_slow, w.next_attempt_at,
      row_number() over (partition by w.tenant_id, w.is_slow order by w.next_attempt_at) as turn
    from webhooks w
    join tenants t on t.id = w.tenant_id
    where w.status = 1 and w.verified_at is not null and w.next_attempt_at <= ${now} and t.status = 1 and t.deleted_at is null
      and w.seal <= case when w.all_tenants
        then (select max(number) from audit_seals)
        else (select number from audit_seals s where s.tenant_id = w.tenant_id order by number desc limit 1) end
      and not exists (
        select from webhook_leases l
        where l.tenant_id = w.tenant_id and l.ends_at > now() and l.replica_id <> ${replicaId}::uuid)
    )
    (select tenant_id, id, is_slow from due where not is_slow order by turn, next_attempt_at limit ${quick})
    union all
    (select tenant_id, id, is_slow from due where is_slow order by turn, next_attempt_at limit ${slow})`)

/**
 * The next time at which a hook is due without a new seal: the end of a pause, or of another replica's lease. That
 * replica may have died. Runs in a transaction of `tenantry_search`.
 */
export const selectNextDue = (db: Db, replicaId: string, now: Date) =>
  db.one<{ due: Date | null }>(sql`
    select least(
      (select min(next_attempt_at) from webhooks where status = 1 and next_attempt_at > ${now}),
      (select min(ends_at) from webhook_leases where replica_id <> ${replicaId}::uuid and ends_at > now())) as due`)

const enabledHooks = sql`
  select w.tenant_id, w.all_tenants, w.seal
  from webhooks w
  join tenants t on t.id = w.tenant_id
  where w.status = 1 and w.verified_at is not null and t.status = 1 and t.deleted_at is null`

/** The time of the newest record in the oldest seal that waits for an enabled hook of any tenant. */
export const selectOldestWaiting = (db: Db) =>
  db.one<{ oldest: Date | null }>(sql`
    select min(oldest) as oldest from (
      (select min((select s.newest_at from audit_seals s where s.tenant_id = w.tenant_id and s.number >= w.seal
          order by s.number limit 1)) as oldest
        from (${enabledHooks}) w where not w.all_tenants)
      union all
      (select newest_at from audit_seals
        where number >= (select min(w.seal) from (${enabledHooks}) w where w.all_tenants)
        order by number limit 1)
    ) as waiting`)

/** Counts the records of the seals that wait for enabled hooks, over at most `sealsMax` seals. */
export const countWaiting = (db: Db, sealsMax: number) =>
  db.one<{ count: number }>(sql`
    with of_all as materialized (select w.seal from (${enabledHooks}) w where w.all_tenants)
    select coalesce(sum(records), 0)::bigint as count from (
      (select cardinality(s.record_ids) as records from of_all w join audit_seals s on s.number >= w.seal limit ${sealsMax})
      union all
      (select s.records
        from (${enabledHooks}) w
        cross join lateral (
          select cardinality(record_ids) as records from audit_seals
          where tenant_id = w.tenant_id and number >= w.seal limit ${sealsMax}
        ) s
        where not w.all_tenants
        limit ${sealsMax})
      limit ${sealsMax}
    ) waiting`)

/** Takes or renews the lease of a tenant by the database's clock. Returns 0 while another replica has the lease. */
export const upsertLease = (db: Db, tenantId: string, replicaId: string) => {
  const added = sql`
    insert into webhook_leases (tenant_id, replica_id, ends_at)
    values (${tenantId}, ${replicaId}, now() + ${leaseLife})
    on conflict (tenant_id)`
  return db.run(
    sql`${added} do update set replica_id = excluded.replica_id, ends_at = excluded.ends_at
    where webhook_leases.replica_id = excluded.replica_id or webhook_leases.ends_at <= now()`,
  )
}

export const deleteLease = (db: Db, tenantId: string, replicaId: string) =>
  db.run(sql`delete from webhook_leases where tenant_id = ${tenantId} and replica_id = ${replicaId}`)

export const selectEnabled = (db: Db, tenantId: string) =>
  db.one<{ id: string }>(
    sql`select id from tenants where id = ${tenantId} and status = 1 and deleted_at is null`,
  )

export interface Progress extends AuditPosition {
  attempts: number
  nextAttemptAt: Date
  lastDeliveredAt: Date | undefined
  /** The number of missed records that a gap event has reported. */
  reported: number
  /** Whether the last attempt was slow. */
  isSlow: boolean
}

/** Moves a hook. Returns 0 if a person has changed it meanwhile, or the lease has ended. */
export const updateProgress = (
  db: Db,
  { tenant_id, id, version }: HookRow,
  progress: Progress,
  replicaId: string,
) =>
  db.run(sql`
    update webhooks
    set seal = ${progress.seal}, index = ${progress.index}, attempts = ${progress.attempts},
      next_attempt_at = ${progress.nextAttemptAt}, last_delivered_at = coalesce(${progress.lastDeliveredAt}, last_delivered_at),
      missed = missed - ${progress.reported}, is_slow = ${progress.isSlow}
    where tenant_id = ${tenant_id} and id = ${id} and version = ${version}
      and exists (select from webhook_leases where tenant_id = ${tenant_id} and replica_id = ${replicaId} and ends_at > now())`)

/** Postpones a hook. */
export const updateDue = (db: Db, { tenant_id, id, version }: HookRow, due: Date) =>
  db.run(sql`
    update webhooks set next_attempt_at = ${due} where tenant_id = ${tenant_id} and id = ${id} and version = ${version}`)

/** Disables a hook. Returns 0 if a person has changed it meanwhile. */
export const updateDisabled = (db: Db, { tenant_id, id, version }: HookRow, reason: string) =>
  db.run(sql`
    update webhooks set status = 0, disabled_reason = ${reason}, version = version + 1
    where tenant_id = ${tenant_id} and id = ${id} and version = ${version} and status = 1`)

export interface NewDelivery {
  event_id: number
  event: string
  status: Delivery['status']
  attempts: number
  response_status: number | null
  error: string
  created_at: Date
  next_attempt_at: Date | null
  delivered_at: Date | null
  /** The attempt of this row; empty for a skipped record. */
  history: Attempt[]
  event_tenant_id: string
  /** The event itself, if it has no audit record. */
  own_event: OwnEvent | null
}

/** The last 20 attempts of a delivery, with the new ones. */
const historyWith = (attempts: Attempt[]): Sql => sql`
  case when jsonb_array_length(history) < 20 then history else history - 0 end || ${JSON.stringify(attempts)}::jsonb`

/** Settles the delivery that waits for another attempt. Returns 0 if there is none. */
export const updateOpenDelivery = (db: Db, { tenant_id, id }: HookRow, row: NewDelivery) =>
  db.run(sql`
    update webhook_deliveries
    set status = ${row.status}, attempts = ${row.attempts}, response_status = ${row.response_status}, error = ${row.error},
      next_attempt_at = ${row.next_attempt_at}, delivered_at = ${row.delivered_at}, history = ${historyWith(row.history)}
    where tenant_id = ${tenant_id} and webhook_id = ${id} and status in ('pending', 'failed')`)

export const insertDeliveries = (db: TransactionDb, { tenant_id, id }: HookRow, rows: NewDelivery[]): void =>
  db.send(sql`
    insert into webhook_deliveries (tenant_id, webhook_id, event_id, event, status, attempts, response_status, error, created_at,
      next_attempt_at, delivered_at, history, event_tenant_id, own_event)
    select ${tenant_id}::uuid, ${id}::bigint, event_id, event, status, attempts, response_status, error, created_at,
      next_attempt_at, delivered_at, history, event_tenant_id, own_event
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (event_id bigint, event text, status text, attempts integer,
      response_status integer, error text, created_at timestamptz, next_attempt_at timestamptz, delivered_at timestamptz,
      history jsonb, event_tenant_id uuid, own_event jsonb)
    returning id`)

export const addAttempt = (db: Db, tenantId: string, id: number, attempt: Attempt) =>
  db.run(sql`
    update webhook_deliveries set history = ${historyWith([attempt])} where tenant_id = ${tenantId} and id = ${id}`)

/** Settles a delivery that waits for another attempt, after an attempt by hand. Returns 0 if it does not wait. */
export const updateTaken = (
  db: Db,
  { tenant_id, id: hookId }: HookRow,
  { id, status, now }: { id: number; status: number; now: Date },
) =>
  db.run(sql`
    update webhook_deliveries
    set status = 'delivered', attempts = attempts + 1, response_status = ${status}, error = '', next_attempt_at = null,
      delivered_at = ${now}
    where tenant_id = ${tenant_id} and webhook_id = ${hookId} and id = ${id} and status in ('pending', 'failed')`)

/** Moves a hook behind an event that the receiver accepted by hand. */
export const updateBehind = (
  db: TransactionDb,
  { tenant_id, id }: HookRow,
  { seal, index }: AuditPosition,
  now: Date,
): void =>
  db.send(sql`
    update webhooks
    set seal = ${seal}, index = ${index}, attempts = 0, next_attempt_at = ${now}, last_delivered_at = ${now},
      version = version + 1
    where tenant_id = ${tenant_id} and id = ${id}`)

/** The deliveries that wait for another attempt or that disabled their hook; at most one per hook. */
export const selectOpenDeliveries = (db: Db, tenantId: string, hookIds: number[]) =>
  db.many<{ webhook_id: number; created_at: string; error: string }>(sql`
    select webhook_id, ${isoTime('created_at')} as created_at, error from webhook_deliveries
    where tenant_id = ${tenantId} and webhook_id = any (${hookIds}) and status in ('pending', 'failed')`)

/** Deletes the deliveries of a hook except the newest ones. */
export const trimDeliveries = (db: TransactionDb, { tenant_id, id }: HookRow, kept: number): void =>
  db.send(sql`
    delete from webhook_deliveries
    where tenant_id = ${tenant_id} and webhook_id = ${id} and id <= (
      select id from webhook_deliveries
      where tenant_id = ${tenant_id} and webhook_id = ${id} order by id desc offset ${kept} limit 1)`)

/** Deliveries that are 30 days old. */
export const oldDeliveries: ExpiredRows = {
  table: 'webhook_deliveries',
  time: 'created_at',
  before: `now() - interval '30 days'`,
}
