/** Statements about changes that wait for approval. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { countUpTo, isoTime, type Slice } from '../../../db/columns.ts'
import type { Approval } from './approvals.schemas.ts'

export interface NewApproval {
  tenantId: string
  requester: { id: number; tenantId: string; accountId: number | undefined; name: string }
  operations: string[]
  approvals: number
  method: string
  path: string
  body: unknown
  change: unknown
  concerned: number[]
  reason: string
  digest: Buffer
  isBreakGlass: boolean
}

/** The stored status, as long as its time is not over and its requester is enabled. */
const statusOf = (tenantId: string): Sql => sql`
  case
    when a.status not in ('pending', 'approved') then a.status
    when a.expires_at <= statement_timestamp() then 'expired'
    when a.requester_tenant is null and 1 <> coalesce(
      (select status from users where tenant_id = ${tenantId} and id = a.requester_id),
      (select status from service_accounts where tenant_id = ${tenantId} and id = a.requester_id), 0) then 'cancelled'
    else a.status
  end`

const columns = (tenantId: string): Sql => sql`
  a.id, array_to_json(a.operations) as operations, a.method, a.path, a.body, a.change, a.reason,
  json_build_object('id', a.requester_id, 'name', a.requester_name) as requested_by,
  ${statusOf(tenantId)} as status, a.approvals,
  coalesce((
    select json_agg(json_build_object('user', json_build_object('id', d.user_id, 'name', d.username),
      'approve', d.approve, 'comment', d.comment, 'at', ${isoTime('d.decided_at')}) order by d.decided_at, d.user_id)
    from approval_decisions d where d.tenant_id = ${tenantId} and d.approval_id = a.id), '[]') as decisions,
  encode(a.digest, 'hex') as digest, a.break_glass, ${isoTime('a.created_at')} as created_at,
  ${isoTime('a.expires_at')} as expires_at`

/** The accounts of the people who made keys of a service account, also by keys of other service accounts. */
const makersOf = (tenantId: string, accountId: number): Sql => sql`
  with recursive callers (id) as (
    select ${accountId}::bigint
    union
    select k.created_by from callers c
    join service_account_keys k on k.tenant_id = ${tenantId} and k.account_id = c.id
  )
  select account_id from users where tenant_id = ${tenantId} and id = any (array(select id from callers))`

export const insertApproval = (db: Db, row: NewApproval) =>
  db.only<{ id: number }>(sql`
    insert into approvals (tenant_id, requester_id, requester_tenant, requester_account, maker_accounts, requester_name, operations,
      approvals, method, path, body, change, concerned, reason, digest, break_glass, status, created_at, expires_at)
    values (${row.tenantId}, ${row.requester.id}, nullif(${row.requester.tenantId}::uuid, ${row.tenantId}::uuid),
      ${row.requester.accountId ?? null},
      ${row.requester.accountId === undefined && row.requester.tenantId === row.tenantId ? sql`array(${makersOf(row.tenantId, row.requester.id)})` : sql`'{}'`},
      ${row.requester.name}, ${row.operations}::text[], ${row.approvals},
      ${row.method}, ${row.path}, ${JSON.stringify(row.body)}, ${JSON.stringify(row.change)},
      ${row.concerned}::bigint[], ${row.reason}, ${row.digest}, ${row.isBreakGlass},
      ${row.isBreakGlass ? 'approved' : 'pending'}, statement_timestamp(),
      statement_timestamp() + interval '72 hours')
    returning id`)

/** Makes requests for approval in a tenant run one after another, so that none passes a limit. */
export const lockRequests = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`select pg_advisory_xact_lock(hashtext('tenantry approvals'), hashtext(${tenantId}))`)

interface RequesterRef {
  id: number
  /** The requester's tenant. */
  tenantId: string
}

const isOf = (tenantId: string, { id, tenantId: home }: RequesterRef): Sql => sql`
  a.requester_id = ${id} and coalesce(a.requester_tenant, ${tenantId}::uuid) = ${home}::uuid`

/** The number of requests of a requester that wait. */
export const countWaiting = (db: Db, tenantId: string, requester: RequesterRef) =>
  db.only<{ count: number }>(sql`
    select count(*)::int as count from approvals a
    where a.tenant_id = ${tenantId} and ${isOf(tenantId, requester)} and a.status in ('pending', 'approved')
      and a.expires_at > statement_timestamp()`)

/** How often somebody has broken the glass within an hour. */
export const countBreakGlass = (db: Db, tenantId: string) =>
  db.only<{ count: number }>(sql`
    select count(*)::int as count from approvals a
    where a.tenant_id = ${tenantId} and a.break_glass and a.created_at > statement_timestamp() - interval '1 hour'`)

export interface ApprovalFilter {
  requester: RequesterRef | undefined
  status: Approval['status'] | undefined
  beforeId: number | undefined
}

const matching = (tenantId: string, { requester, status, beforeId }: ApprovalFilter): Sql => sql`
  from approvals a where a.tenant_id = ${tenantId}
    ${requester === undefined ? empty : sql`and ${isOf(tenantId, requester)}`}
    ${status === undefined ? empty : sql`and ${statusOf(tenantId)} = ${status}`}
    ${beforeId === undefined ? empty : sql`and a.id < ${beforeId}`}`

/** Newest first. */
export const selectApprovals = (db: Db, tenantId: string, filter: ApprovalFilter, { limit, offset }: Slice) =>
  db.many<Approval>(sql`
    select ${columns(tenantId)} ${matching(tenantId, filter)} order by a.id desc limit ${limit} offset ${offset}`)

/** The number of these approvals, at most `max` + 1. */
export const countApprovals = (db: Db, tenantId: string, filter: ApprovalFilter, max: number) =>
  db.only<{ count: number }>(
    countUpTo(max, sql`${matching(tenantId, { ...filter, beforeId: undefined })} order by a.id desc`),
  )

/** An approval, and what only the service reads. */
export interface StoredApproval extends Approval {
  requester_tenant: string | null
  requester_account: number | null
  /** The accounts of the people who had made the requester's keys. */
  maker_accounts: number[]
  concerned: number[]
}

const stored = (tenantId: string, id: number): Sql => sql`
  select ${columns(tenantId)}, a.requester_tenant, a.requester_account, array_to_json(a.maker_accounts) as maker_accounts,
    array_to_json(a.concerned) as concerned
  from approvals a where a.tenant_id = ${tenantId} and a.id = ${id}`

export const selectApproval = (db: Db, tenantId: string, id: number) =>
  db.one<StoredApproval>(stored(tenantId, id))

/** Locks an approval until the transaction ends. The second statement sees what the lock waited for. */
export const selectApprovalForUpdate = (db: TransactionDb, tenantId: string, id: number) => {
  db.send(sql`select id from approvals where tenant_id = ${tenantId} and id = ${id} for update`)
  return db.one<StoredApproval>(stored(tenantId, id))
}

export const updateStatus = (
  db: TransactionDb,
  tenantId: string,
  id: number,
  status: 'approved' | 'done' | 'rejected' | 'cancelled',
): void => db.send(sql`update approvals set status = ${status} where tenant_id = ${tenantId} and id = ${id}`)

/** Deletes the approvals of the expired period that is in scope, as the role that deletes expired records. */
export const deleteExpiredApprovals = (db: TransactionDb, tenantId: string): void =>
  db.send(sql`
    delete from approvals
    where tenant_id = ${tenantId} and created_at < current_setting('app.expired_before')::timestamptz`)

export interface NewDecision {
  approvalId: number
  userId: number
  accountId: number
  username: string
  approve: boolean
  comment: string
}

export const insertDecision = (db: TransactionDb, tenantId: string, row: NewDecision): void =>
  db.send(sql`
    insert into approval_decisions (tenant_id, approval_id, user_id, account_id, username, approve, comment, decided_at)
    values (${tenantId}, ${row.approvalId}, ${row.userId}, ${row.accountId}, ${row.username}, ${row.approve},
      ${row.comment}, statement_timestamp())`)

/** The accounts of users and the people who made keys of service accounts: each is a person whom a change concerns. */
export const selectAccounts = (db: Db, tenantId: string, userIds: number[]) =>
  db.many<{ account_id: number }>(sql`
    select account_id from users where tenant_id = ${tenantId} and id = any (${userIds}::bigint[])`)

/** The accounts of the people who made the present keys of a service account. */
export const selectKeyMakers = (db: Db, tenantId: string, accountId: number) =>
  db.many<{ account_id: number }>(sql`
    ${makersOf(tenantId, accountId)}`)
