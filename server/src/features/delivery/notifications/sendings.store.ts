import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, takesLong, type Slice } from '../../../db/columns.ts'
import type { ExpiredRows } from '../../../db/sweep.ts'
import type { Sending } from './sendings.schemas.ts'
import { heldRoles } from '../../../access/held-roles.sql.ts'

const columns = sql`
  id, tenant_id, coalesce(user_id, 0) as user_id, coalesce(role_id, 0) as role_id, recipient, title, content, type,
  total, sent, position >= last_id as is_done, ${isoTime('created_at')} as created_at`

export interface Sender {
  tenantId: string
  id: number
}

const ofSender = (tenantId: string, sender: Sender): Sql => sql`
  tenant_id = ${tenantId} and sender_tenant_id = ${sender.tenantId} and sender_id = ${sender.id}`

/** Newest first. */
export const selectSendings = (
  db: Db,
  tenantId: string,
  sender: Sender,
  { limit, offset, beforeId }: Slice & { beforeId: number | undefined },
) =>
  db.many<Sending>(sql`
    select ${columns} from sendings
    where ${ofSender(tenantId, sender)} ${beforeId === undefined ? empty : sql`and id < ${beforeId}`}
    order by id desc limit ${limit} offset ${offset}`)

export const countSendings = (db: Db, tenantId: string, sender: Sender, max: number) =>
  db.one<{ count: number }>(countUpTo(max, sql`from sendings where ${ofSender(tenantId, sender)}`))

/** Locks a sending with its progress until the transaction ends. */
export const selectSendingForUpdate = (db: TransactionDb, tenantId: string, sender: Sender, id: number) =>
  db.one<Sending & { position: number; last_id: number }>(sql`
    select ${columns}, position, last_id from sendings
    where ${ofSender(tenantId, sender)} and id = ${id} for update`)

export interface NewSending extends Pick<
  Sending,
  'recipient' | 'title' | 'content' | 'type' | 'total' | 'sent'
> {
  sender: Sender
  userId: number | null
  roleId: number | null
  lastId: number
}

/** Can violate `sendings_tenant_id_user_id_fkey` while another transaction deletes the recipient. */
export const insertSending = (db: TransactionDb, tenantId: string, row: NewSending, now: Date) =>
  db.only<Sending>(sql`
    insert into sendings (tenant_id, sender_tenant_id, sender_id, user_id, role_id, recipient, title, content, type, total,
      sent, position, last_id, created_at)
    values (${tenantId}, ${row.sender.tenantId}, ${row.sender.id}, ${row.userId}, ${row.roleId}, ${row.recipient},
      ${row.title}, ${row.content}, ${row.type}, ${row.total}, ${row.sent}, 0, ${row.lastId}, ${now})
    returning ${columns}`)

/**
 * SQL: whether the user has the role. Role 0 means every user. Service accounts are not users, so they receive nothing.
 */
const holding = (tenantId: string, roleId: number): Sql =>
  roleId === 0
    ? empty
    : sql`and exists (
        select from ${heldRoles} r where r.tenant_id = ${tenantId} and r.user_id = u.id and r.role_id = ${roleId})`

/** The number of recipients, and the id of the last recipient. */
export const measureRecipients = (db: TransactionDb, tenantId: string, roleId: number) =>
  db.only<{ total: number; last_id: number }>(
    takesLong(sql`
      select count(*) as total, coalesce(max(u.id), 0) as last_id
      from users u where u.tenant_id = ${tenantId} ${holding(tenantId, roleId)}`),
  )

interface Batch {
  sending: Pick<Sending, 'role_id' | 'title' | 'content' | 'type'> & { position: number; last_id: number }
  sender: string
  limit: number
}

/**
 * Notifies the next users in the order of ids, and returns them. Locks their rows, because a concurrent deletion of a
 * user would violate the foreign key.
 */
export const insertBatch = (
  db: TransactionDb,
  tenantId: string,
  { sending, sender, limit }: Batch,
  now: Date,
) =>
  db.many<{ id: number; user_id: number }>(
    takesLong(sql`
      with batch as materialized (
        select u.id from users u
        where u.tenant_id = ${tenantId} and u.id > ${sending.position} and u.id <= ${sending.last_id}
          ${holding(tenantId, sending.role_id)}
        order by u.id limit ${limit} for key share of u
      )
      insert into notifications (tenant_id, user_id, title, content, type, sender, created_at)
      select ${tenantId}::uuid, batch.id, ${sending.title}::text, ${sending.content}::text, ${sending.type}::text,
        ${sender}::text, ${now}::timestamptz
      from batch
      returning id, user_id`),
  )

export const updateSendingSent = (
  db: TransactionDb,
  tenantId: string,
  { id, position, count }: { id: number; position: number; count: number },
) =>
  db.only<Sending>(sql`
    update sendings set position = ${position}, sent = sent + ${count} where tenant_id = ${tenantId} and id = ${id}
    returning ${columns}`)

/** Sendings that are 180 days old. */
export const oldSendings: ExpiredRows = {
  table: 'sendings',
  time: 'created_at',
  before: `now() - interval '180 days'`,
}
