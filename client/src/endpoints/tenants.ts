import { path, type Api } from '../api.ts'
import type { CreateTenant, ListTenantsQuery, Tenant, UpdateTenant } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Tenants of the installation. All but the user's own tenant are for platform administrators. */
export const tenantEndpoints = ({ ask, askCounted }: Api) => ({
  /**
   * Lists all tenants. Needs `tenant:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * for (const { id, name } of await client.tenants.list()) console.log(id, name)
   */
  list: (options?: CallOptions) => ask<Tenant[]>('GET', '/org/tenants', {}, options),

  /**
   * Lists tenants whose name or slug has a keyword, a page at a time, and tells how many match. Needs `tenant:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items, total } = await client.tenants.find({ search: 'engines', page: 1, page_size: 50 })
   * console.log(items.length, total)
   */
  find: (query: ListTenantsQuery = {}, options?: CallOptions) =>
    askCounted<Tenant>('/org/tenants', query, options),

  /**
   * Reads a tenant. Another tenant than the user's own needs `tenant:read`.
   *
   * @throws ApiError 400 `invalidInput`; 404 `tenantUnknown`, also for a tenant that the caller may not see
   * @example
   * const { tenant_id } = await client.profile.get()
   * console.log((await client.tenants.get(tenant_id)).name)
   */
  get: (id: string, options?: CallOptions) => ask<Tenant>('GET', path`/org/tenants/${id}`, {}, options),

  /**
   * Creates an enabled tenant with the system roles. Needs `tenant:create`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 409 `slugTaken`
   * @example
   * const tenant = await client.tenants.create({ name: 'Analytical Engines', slug: 'analytical-engines' })
   * await client.inTenant(tenant.id).roles.create({ name: 'Editors' })
   */
  create: (body: CreateTenant, options?: CallOptions) =>
    ask<Tenant>('POST', '/org/tenants', { body }, options),

  /**
   * Changes a tenant. Omitted fields stay. Status 0 disables it and suspends its users. Needs `tenant:update`.
   *
   * @throws ApiError 400 `invalidInput`, `builtInTenant`; 403 `permissionMissing`; 404 `tenantUnknown`; 409 `slugTaken`
   * @example
   * const [tenant] = await client.tenants.list()
   * if (tenant) await client.tenants.update(tenant.id, { status: 0 })
   */
  update: (id: string, body: UpdateTenant, options?: CallOptions) =>
    ask<Tenant>('PUT', path`/org/tenants/${id}`, { body }, options),

  /**
   * Deletes a tenant for good, with its users, roles, settings, notifications and audit records. Needs `tenant:delete`.
   *
   * @throws ApiError 400 `invalidInput`, `builtInTenant`; 403 `permissionMissing`; 404 `tenantUnknown`
   * @example
   * await client.tenants.delete('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
   */
  delete: (id: string, options?: CallOptions) => ask<null>('DELETE', path`/org/tenants/${id}`, {}, options),
})
