/** The objects of reviews, with the fields of items. A snapshot inserts them, and a decision compares them. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { eligibleRoles, isLasting } from '../../../access/held-roles.sql.ts'
import type { Kind } from './reviews.schemas.ts'

/** The columns that `reviewed` selects, in this order. */
export const snapshotColumns =
  raw(`kind, source, subject_id, subject_name, subject_type, subject_account, what_id, what_name,
  given_by, given_by_tenant, given_by_name, given_at, expires_at, last_used_at, object_id, state`)

/** A user or service account of a tenant, with its last use. */
const subjectOf = (tenantId: string, id: Sql): Sql => sql`(
  select id, username as name, 'user' as type, account_id, last_login_at as last_used_at
  from users where tenant_id = ${tenantId} and id = ${id}
  union all
  select id, name, 'service_account', null, last_used_at
  from service_accounts where tenant_id = ${tenantId} and id = ${id})`

const roleOf = (tenantId: string, id: Sql): Sql => sql`(
  select id, name from role_templates where id = ${id}
  union all
  select id, name from roles where tenant_id = ${tenantId} and id = ${id})`

/** The name of a giver in the tenant. Names of givers elsewhere are filled in later. */
const nameOfGiver = (tenantId: string, giver: string, home: string): Sql => sql`
  case when ${raw(home)} is null then coalesce((
    select name from ${subjectOf(tenantId, raw(giver))} g), '') else '' end`

const second = (column: string): Sql => raw(`coalesce(extract(epoch from ${column})::text, '')`)

const heldRoles = (tenantId: string, only: Sql): Sql => sql`
  select 'roles', r.source, u.id, u.name, u.type, u.account_id, o.id, o.name, r.assigned_by, r.assigned_by_tenant,
    ${nameOfGiver(tenantId, 'r.assigned_by', 'r.assigned_by_tenant')}, r.assigned_at, r.expires_at, u.last_used_at, r.id,
    concat_ws('|', r.id, r.source, r.assigned_by, ${second('r.expires_at')})
  from user_roles r
  cross join lateral ${subjectOf(tenantId, raw('r.user_id'))} u
  cross join lateral ${roleOf(tenantId, raw('r.role_id'))} o
  where r.tenant_id = ${tenantId} and ${isLasting('r')} ${only}
  order by r.user_id, r.role_id`

const eligible = (tenantId: string, only: Sql): Sql => sql`
  select 'roles', 'eligible', u.id, u.username, 'user', u.account_id, o.id, o.name, e.given_by, e.given_by_tenant,
    ${nameOfGiver(tenantId, 'e.given_by', 'e.given_by_tenant')}, e.given_at, e.expires_at, u.last_login_at, 0,
    concat_ws('|', e.max_minutes, e.given_by, ${second('e.given_at')}, ${second('e.expires_at')})
  from ${eligibleRoles} e
  join users u on u.tenant_id = ${tenantId} and u.id = e.user_id
  cross join lateral ${roleOf(tenantId, raw('e.role_id'))} o
  where e.tenant_id = ${tenantId} ${only}
  order by e.user_id, e.role_id`

const keys = (tenantId: string, only: Sql): Sql => sql`
  select 'keys', 'manual', a.id, a.name, 'service_account', null::bigint, k.id, k.name, k.created_by, null::uuid,
    ${nameOfGiver(tenantId, 'k.created_by', 'null::uuid')}, k.created_at, k.expires_at, k.last_used_at, k.id, ''
  from service_account_keys k
  join service_accounts a on a.tenant_id = k.tenant_id and a.id = k.account_id
  where k.tenant_id = ${tenantId} and ${isLasting('k')} ${only}
  order by k.id`

const grants = (tenantId: string, only: Sql): Sql => sql`
  select 'grants', 'consent', u.id, u.username, 'user', u.account_id, a.id, a.name, u.id, null::uuid, u.username,
    g.created_at, null::timestamptz, (
      select max(s.last_used_at) from sessions s
      where s.tenant_id = g.tenant_id and s.user_id = g.user_id and s.grant_id = g.id), g.id,
    array_to_string(g.scopes, ' ')
  from grants g
  join users u on u.tenant_id = g.tenant_id and u.id = g.user_id
  join applications a on a.id = g.application_id
  where g.tenant_id = ${tenantId} ${only}
  order by g.id`

/** The parts of each kind. Each can be narrowed to some objects. */
const partsOf: Record<Kind, ((tenantId: string, only: Sql) => Sql)[]> = {
  roles: [heldRoles, eligible],
  keys: [keys],
  grants: [grants],
}

/** Everything that a review of these kinds is about. Each part comes in the order of an index, so that nothing is sorted. */
export const reviewed = (tenantId: string, kinds: Kind[]): Sql =>
  join(
    kinds.flatMap((kind) => partsOf[kind].map((part) => sql`(${part(tenantId, empty)})`)),
    ' union all ',
  )

/** An item's object, by which its present state is read. */
export interface ReviewedObject {
  kind: Kind
  source: string
  subject_id: number
  what_id: number
  object_id: number
}

/** One statement for each part that has items. It selects the present state of their objects. */
export const present = (tenantId: string, items: ReviewedObject[]): Sql[] => {
  const isEligible = ({ source }: ReviewedObject) => source === 'eligible'
  const roles = items.filter(({ kind }) => kind === 'roles')
  const ofPairs = (some: ReviewedObject[], table: string): Sql => sql`
    and (${raw(table)}.user_id, ${raw(table)}.role_id) in (select * from unnest(
      ${some.map((one) => one.subject_id)}::bigint[], ${some.map((one) => one.what_id)}::bigint[]))`
  const ofObjects = (some: ReviewedObject[], table: string): Sql =>
    sql`and ${raw(table)}.id = any (${some.map((one) => one.object_id)}::bigint[])`
  const [held, startable] = [roles.filter((one) => !isEligible(one)), roles.filter(isEligible)]
  const ofKind = (wanted: Kind) => items.filter(({ kind }) => kind === wanted)
  return [
    held.length > 0 ? [heldRoles(tenantId, ofPairs(held, 'r'))] : [],
    startable.length > 0 ? [eligible(tenantId, ofPairs(startable, 'e'))] : [],
    ofKind('keys').length > 0 ? [keys(tenantId, ofObjects(ofKind('keys'), 'k'))] : [],
    ofKind('grants').length > 0 ? [grants(tenantId, ofObjects(ofKind('grants'), 'g'))] : [],
  ].flat()
}
