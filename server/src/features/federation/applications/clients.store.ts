/** Applications as clients of an authorization. */
import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'

export interface Client {
  id: number
  client_id: string
  origin: 'managed' | 'registered' | 'document'
  name: string
  kind: 'web' | 'browser' | 'native'
  is_third_party: boolean
  status: 0 | 1
  redirect_uris: string[]
  post_logout_redirect_uris: string[]
  backchannel_logout_uri: string
  allowed_origins: string[]
  grant_types: string[]
  resource_ids: number[]
  require_mfa: boolean
  session_seconds: number
  /** The allowed tenants; null if all tenants are allowed. */
  tenant_ids: string[] | null
  /** The code of the permission that a user needs; null for none. */
  required_permission: string | null
  tenantry_api: boolean
  logo: string
  home_url: string
  /** The page for support sessions; empty for none. */
  support_uri: string
  /** The expiry of the cached document; null for other clients. */
  document_until: Date | null
  /** SHA-256 in hex of the valid secrets. */
  secret_hashes: string[]
}

const columns = sql`a.id, a.client_id, a.origin, a.name, a.kind, a.is_third_party, a.status, a.redirect_uris,
  a.post_logout_redirect_uris, a.backchannel_logout_uri, a.allowed_origins, a.grant_types,
  array_to_json(a.resource_ids) as resource_ids, a.require_mfa, a.session_seconds,
  array_to_json(a.tenant_ids) as tenant_ids, a.required_permission, a.tenantry_api, a.logo, a.home_url, a.support_uri, a.document_until`

const hashes = (now: Date) => sql`
  array(
    select encode(s.secret_hash, 'hex') from application_secrets s
    where s.application_id = a.id and (s.expires_at is null or s.expires_at > ${now})
  ) as secret_hashes`

export const selectClient = (db: Db, clientId: string, now: Date) =>
  db.one<Client>(sql`select ${columns}, ${hashes(now)} from applications a where a.client_id = ${clientId}`)

export const selectClientById = (db: Db, id: number, now: Date) =>
  db.one<Client>(sql`select ${columns}, ${hashes(now)} from applications a where a.id = ${id}`)

export interface NamedResource {
  id: number
  /** The registered text, which is the `aud` of tokens. */
  identifier: string
  name: string
  allow_unregistered: boolean
  is_built_in: boolean
  /** The codes of the resource's permissions that still exist. */
  codes: string[]
}

export const selectNamedResource = (db: Db, folded: string) =>
  db.one<NamedResource>(sql`
    select r.id, r.identifier, r.name, r.allow_unregistered, r.is_built_in,
      array(
        select p.code from permissions p
        where p.id = any (r.permission_ids) and p.removed_at is null
        order by p.id
      ) as codes
    from resources r
    where r.identifier_folded = ${folded}`)

/** Whether pages of an origin belong to a browser application. */
export const selectOriginAllowed = (db: Db, origin: string) =>
  db.only<{ is_allowed: boolean }>(sql`
    select exists (
      select from applications a where a.status = 1 and a.kind = 'browser' and a.allowed_origins @> array[${origin}]
    ) as is_allowed`)

export const selectClientNames = (db: Db, ids: number[]) =>
  db.many<{ name: string }>(
    sql`select name from applications where id = any (${ids}::bigint[]) order by name`,
  )
