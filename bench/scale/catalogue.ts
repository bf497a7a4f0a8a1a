import type pg from 'pg'
import { call, type Server } from '../contender.ts'
import { progress } from '../progress.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller, get, post, put, rootEmail, type Caller } from '../service.ts'

/** The times of the answers to changes of the catalogue, with so many tenants. */
export interface CatalogueFigures {
  tenants: number
  /** The milliseconds of each answer, by change. */
  answersMs: Record<string, number[]>
}

/** The permission and the template that the further tenants have. */
interface Held {
  permissionId: number
  templateId: number
}

const tenantsAtOnce = 10_000

/**
 * Adds tenants with one user each, who holds the template and an own role with the permission. A superuser inserts them:
 * one scope for each tenant would take most of an hour.
 */
const insertTenants = async (client: pg.Client, count: number, { permissionId, templateId }: Held) => {
  for (let first = 1; first <= count; first += tenantsAtOnce) {
    if (isInterrupted()) throw new Error('interrupted')
    progress(`catalogue: tenants from ${first.toLocaleString('en')}`)
    await client.query(
      `with added as (
         insert into tenants (id, name, slug, created_at, updated_at)
         select gen_random_uuid(), 'Catalogue ' || n, 'catalogue-' || n, now(), now() from generate_series($1::int, $2::int) n
         returning id, slug, slug || '@example.com' as email
       ), created as (
         insert into accounts (email, email_folded, password_hash)
         select email, email, '' from added
         returning id, email
       ), joined as (
         insert into users (tenant_id, account_id, email, username, username_folded, nickname, search_folded, created_at, updated_at)
         select t.id, a.id, a.email, t.slug, t.slug, '', t.slug, now(), now() from added t join created a using (email)
         returning tenant_id, id
       ), named as (
         insert into roles (tenant_id, name, name_folded, description, created_at)
         select id, 'Billing', 'billing', '', now() from added
         returning tenant_id, id
       ), carried as (
         insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
         select tenant_id, id, $3, false from named
       )
       insert into user_roles (tenant_id, user_id, role_id)
       select tenant_id, id, $4 from joined
       union all
       select tenant_id, joined.id, named.id from joined join named using (tenant_id)`,
      [first, Math.min(count, first + tenantsAtOnce - 1), permissionId, templateId],
    )
  }
  await client.query('vacuum analyze')
}

const remove = ({ url, headers }: Caller, path: string) =>
  call(url, `${api}${path}`, { method: 'DELETE', headers })

const createPermission = async (root: Caller, name: string): Promise<number> =>
  (await post(root, '/rbac/permissions', { code: `bench:${name}`, name })).id

/** Changes the catalogue `rounds` times, and at last deletes what every tenant holds. */
const change = async (root: Caller, { permissionId, templateId }: Held, rounds: number) => {
  const answersMs: CatalogueFigures['answersMs'] = {}
  const timed = async <T>(title: string, work: () => Promise<T>): Promise<T> => {
    if (isInterrupted()) throw new Error('interrupted')
    progress(`catalogue: ${title}`)
    const startedAt = performance.now()
    const result = await work()
    answersMs[title] = [...(answersMs[title] ?? []), performance.now() - startedAt]
    return result
  }
  const template = `/rbac/role-templates/${templateId}`
  for (let round = 0; round < rounds; round++) {
    const id = await timed('POST permission', () => createPermission(root, `round-${round}`))
    await timed('PUT template', () => put(root, template, { permission_ids: [permissionId, id] }))
    await timed('DELETE permission', () => remove(root, `/rbac/permissions/${id}`))
  }
  await timed('DELETE permission in every tenant', () => remove(root, `/rbac/permissions/${permissionId}`))
  await timed('DELETE template in every tenant', () => remove(root, template))
  return answersMs
}

/** Measures how long changes of the catalogue take with that many further tenants. */
export const measureCatalogue = async (
  { url }: Server,
  client: pg.Client,
  { tenants, rounds }: { tenants: number; rounds: number },
): Promise<CatalogueFigures> => {
  const caller = await asCaller(url, rootEmail)
  const { tenant_id: home }: { tenant_id: string } = await get(caller, '/profile')
  const root = { url, headers: { ...caller.headers, 'x-tenant-id': home } }
  const permissionId = await createPermission(root, 'everywhere')
  const { id: templateId }: { id: number } = await post(root, '/rbac/role-templates', {
    name: 'Biller',
    permission_ids: [permissionId],
  })
  await insertTenants(client, tenants, { permissionId, templateId })
  return { tenants, answersMs: await change(root, { permissionId, templateId }, rounds) }
}
