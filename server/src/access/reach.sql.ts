/** The condition for a person to reach a tenant. Sign-ins, switches, refreshes and every request check it. */
import sql, { type Sql } from 'sql-template-tag'
import type { FederatedProof } from '../values/proofs.ts'
import { ssoRequired, waysSetting } from './tenant-settings.sql.ts'

/** The reason why a tenant accepts no session: it requires a connection, or the way of the sign-in is closed. */
export type Barrier = 'connection' | 'way'

/** The first proof of a sign-in without a connection (RFC 8176; a code by mail is `email`). */
export type FirstProof = 'pwd' | 'pop' | 'email' | FederatedProof

/** Columns of a session or a sign-in, as SQL. */
interface SessionColumns {
  tenantId: Sql
  userId: Sql
  /** The kinds of proof (RFC 8176) that opened the session or sign-in. */
  amr: Sql
  /** True if two kinds of proof opened the session or sign-in. */
  hasMfa: Sql
  /** The connection that opened the session or sign-in, or null. Undefined for a sign-in before its proof. */
  connectionId?: Sql
}

const byConnection = (tenantId: Sql, connectionId: Sql | undefined): Sql =>
  connectionId
    ? sql`exists (
    select from connections where tenant_id = ${tenantId} and id = ${connectionId} and status = 'active')`
    : sql`false`

/** True if a sign-in came by an active connection, or is that of a break-glass user with a second factor. */
const comesBySso = ({ tenantId, userId, hasMfa, connectionId }: SessionColumns): Sql => sql`(
  ${byConnection(tenantId, connectionId)}
  or (${hasMfa} and exists (select from sso_exemptions where tenant_id = ${tenantId} and user_id = ${userId})))`

/** A tenant can require single sign-on. An exemption without the factor then gives no access. */
const meetsSso = (columns: SessionColumns): Sql =>
  sql`(not ${ssoRequired(columns.tenantId)} or ${comesBySso(columns)})`

/** The member of `auth.ways` for the first proof without a provider. `wayOf` in actor.ts is the same. */
const wayIn = (amr: Sql): Sql => sql`(
  case when 'pwd' = any (${amr}) then 'password' when 'email' = any (${amr}) then 'email_code' else 'passkey' end)`

/** The ids of the identities that opened a session or sign-in: none, or one. */
const identityIn = (amr: Sql): Sql => sql`array(
  select substring(one from 5)::uuid from unnest(${amr}) as proofs(one) where one like 'fed:%')`

/** True if the provider of the identity is active, and no value of `auth.ways` leaves it out. */
const isProviderOpen = ({ tenantId, amr }: SessionColumns): Sql => {
  const unnamed = sql`key = ${waysSetting} and jsonb_typeof(value -> 'providers') = 'array'
    and not value -> 'providers' @> to_jsonb(p.slug)`
  return sql`exists (
    select from identities i
    join providers p on p.id = i.provider_id
    where i.id = any (${identityIn(amr)}) and p.status = 'active'
      and not exists (select from tenant_settings where tenant_id = ${tenantId} and ${unnamed})
      and not exists (select from global_settings where ${unnamed}))`
}

/** True if neither value of `auth.ways` closes the way, and the installation opens a code by mail. */
const isOpenIn = (tenantId: Sql, way: Sql): Sql => sql`(
  not exists (
    select from tenant_settings
    where tenant_id = ${tenantId} and key = ${waysSetting} and value -> ${way} = 'false')
  and coalesce(
    (select value -> ${way} from global_settings where key = ${waysSetting}),
    to_jsonb(${way} <> 'email_code')) = 'true')`

const isWayOpen = (columns: SessionColumns): Sql => {
  const { tenantId, amr, connectionId } = columns
  return sql`(
  ${connectionId ? sql`${connectionId} is not null` : sql`false`} or case
    when exists (select from unnest(${amr}) as proofs(one) where one like 'fed:%') then ${isProviderOpen(columns)}
    else ${isOpenIn(tenantId, wayIn(amr))} end)`
}

/** The `Barrier` between a session or sign-in and the tenant. Null if the tenant accepts it. */
export const barrierOf = (columns: SessionColumns): Sql => sql`(
  case when not ${meetsSso(columns)} then 'connection' when not ${isWayOpen(columns)} then 'way' end)`

/** True if the tenant accepts a session or sign-in. */
export const reachesTenant = (columns: SessionColumns): Sql => sql`${barrierOf(columns)} is null`

const session: SessionColumns = {
  tenantId: sql`s.tenant_id`,
  userId: sql`s.user_id`,
  amr: sql`s.amr`,
  hasMfa: sql`'mfa' = any (s.amr)`,
  connectionId: sql`s.connection_id`,
}

/** `barrierOf` for the session `s`. */
export const sessionBarrier: Sql = barrierOf(session)

/** `reachesTenant` for the session `s`. */
export const sessionReaches: Sql = reachesTenant(session)

/** True if the session `s` stays open when its tenant begins to require single sign-on. */
export const sessionComesBySso: Sql = comesBySso(session)
