import { path, type Api } from '../api.ts'
import type { Setting } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Settings for all tenants. */
const globalSettingEndpoints = ({ ask }: Api) => ({
  /**
   * Lists the global settings. Needs `setting:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * console.log(Object.fromEntries((await client.settings.global.list()).map(({ key, value }) => [key, value])))
   */
  list: (options?: CallOptions) => ask<Setting[]>('GET', '/settings', {}, options),

  /**
   * Reads a global setting. Needs `setting:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`
   * @example
   * console.log((await client.settings.global.get('mail.sender')).value)
   */
  get: (key: string, options?: CallOptions) =>
    ask<Setting>('GET', path`/settings/global/${key}`, {}, options),

  /**
   * Creates or replaces a global setting. Needs `setting:global`.
   *
   * @param value Any JSON, up to 64 KiB.
   * @throws ApiError 400 `invalidInput`, `settingsFull`; 403 `permissionMissing`
   * @example
   * await client.settings.global.put('mail.sender', 'no-reply@example.com')
   */
  put: (key: string, value: unknown, options?: CallOptions) =>
    ask<null>('PUT', path`/settings/global/${key}`, { body: { value } }, options),

  /**
   * Deletes a global setting. Needs `setting:global`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`
   * @example
   * await client.settings.global.delete('mail.sender')
   */
  delete: (key: string, options?: CallOptions) =>
    ask<null>('DELETE', path`/settings/global/${key}`, {}, options),
})

/** Settings of the tenant in scope. */
const tenantSettingEndpoints = ({ ask }: Api) => ({
  /**
   * Lists the settings of the tenant. Needs `setting:read`.
   *
   * @throws ApiError 403 `permissionMissing`
   * @example
   * for (const { key, updated_at } of await client.settings.tenant.list()) console.log(key, updated_at)
   */
  list: (options?: CallOptions) => ask<Setting[]>('GET', '/settings/tenant', {}, options),

  /**
   * Reads a setting of the tenant. Needs `setting:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`
   * @example
   * const { value } = await client.settings.tenant.get('theme')
   * console.log(value)
   */
  get: (key: string, options?: CallOptions) =>
    ask<Setting>('GET', path`/settings/tenant/${key}`, {}, options),

  /**
   * Creates or replaces a setting of the tenant. Needs `setting:update`.
   *
   * @param value Any JSON, up to 64 KiB.
   * @throws ApiError 400 `invalidInput`, `settingsFull`; 403 `permissionMissing`
   * @example
   * await client.settings.tenant.put('theme', { dark: true })
   */
  put: (key: string, value: unknown, options?: CallOptions) =>
    ask<null>('PUT', path`/settings/tenant/${key}`, { body: { value } }, options),

  /**
   * Deletes a setting of the tenant. Needs `setting:delete`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `settingUnknown`
   * @example
   * await client.settings.tenant.delete('theme')
   */
  delete: (key: string, options?: CallOptions) =>
    ask<null>('DELETE', path`/settings/tenant/${key}`, {}, options),
})

export interface SettingEndpoints {
  global: ReturnType<typeof globalSettingEndpoints>
  tenant: ReturnType<typeof tenantSettingEndpoints>
}

/** Global settings, and settings of the tenant in scope. */
export const settingEndpoints = (api: Api): SettingEndpoints => ({
  global: globalSettingEndpoints(api),
  tenant: tenantSettingEndpoints(api),
})
