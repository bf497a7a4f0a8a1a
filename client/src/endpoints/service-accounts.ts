import { path, type Api } from '../api.ts'
import type {
  CreatedKey,
  CreateKey,
  CreateServiceAccount,
  Key,
  ListServiceAccountsQuery,
  ServiceAccount,
  UpdateServiceAccount,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** A key of a service account. */
export interface KeyOfAccount {
  accountId: number
  keyId: number
}

/**
 * Callers without e-mail and password, such as the backend of a product. Roles are given to them as to users:
 * `roles.assign({ userId: account.id, roleId })`.
 */
export const serviceAccountEndpoints = ({ ask, askPage }: Api) => ({
  /**
   * Lists a page of the service accounts, by id. Needs `service_account:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items } = await client.serviceAccounts.list({ search: 'bill' })
   * console.log(items.map(({ name }) => name))
   */
  list: (query: ListServiceAccountsQuery = {}, options?: CallOptions) =>
    askPage<ServiceAccount>('/service-accounts', query, options),

  /**
   * Reads a service account. Needs `service_account:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `serviceAccountUnknown`
   * @example
   * console.log((await client.serviceAccounts.get(12)).last_used_at)
   */
  get: (id: number, options?: CallOptions) =>
    ask<ServiceAccount>('GET', path`/service-accounts/${id}`, {}, options),

  /**
   * Creates a service account without roles and keys. Needs `service_account:create`.
   *
   * @throws ApiError 400 `invalidInput`, `serviceAccountsFull`; 403 `permissionMissing`; 409 `serviceAccountNameTaken`
   * @example
   * const account = await client.serviceAccounts.create({ name: 'Billing' })
   * await client.roles.assign({ userId: account.id, roleId: 8 })
   */
  create: (body: CreateServiceAccount, options?: CallOptions) =>
    ask<ServiceAccount>('POST', '/service-accounts', { body }, options),

  /**
   * Changes a service account. Omitted fields stay. Keys of a disabled account get 401 until it is enabled. Needs
   * `service_account:update`.
   *
   * @throws ApiError 400 `invalidInput`, `ownAccount`; 403 `permissionMissing`, `targetOutranksCaller`; 404
   * `serviceAccountUnknown`; 409 `serviceAccountNameTaken`
   * @example
   * await client.serviceAccounts.update(12, { status: 0 })
   */
  update: (id: number, body: UpdateServiceAccount, options?: CallOptions) =>
    ask<ServiceAccount>('PUT', path`/service-accounts/${id}`, { body }, options),

  /**
   * Deletes a service account with its keys. Needs `service_account:delete`.
   *
   * @throws ApiError 400 `invalidInput`, `ownAccount`; 403 `permissionMissing`, `targetOutranksCaller`; 404
   * `serviceAccountUnknown`
   * @example
   * await client.serviceAccounts.delete(12)
   */
  delete: (id: number, options?: CallOptions) =>
    ask<null>('DELETE', path`/service-accounts/${id}`, {}, options),

  keys: {
    /**
     * Lists the keys of a service account, expired ones included. Needs `service_account:read`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `serviceAccountUnknown`
     * @example
     * console.log((await client.serviceAccounts.keys.list(12)).map(({ prefix }) => prefix))
     */
    list: (accountId: number, options?: CallOptions) =>
      ask<Key[]>('GET', path`/service-accounts/${accountId}/keys`, {}, options),

    /**
     * Creates a key. The answer alone shows its `secret`. Needs `service_account:update`.
     *
     * @throws ApiError 400 `invalidInput`, `keysFull`; 403 `permissionMissing`, `targetOutranksCaller`, `keyExceedsOwn`; 404
     * `serviceAccountUnknown`
     * @example
     * const { secret } = await client.serviceAccounts.keys.create(12, { name: 'Production' })
     * console.log(secret)
     */
    create: (accountId: number, body: CreateKey, options?: CallOptions) =>
      ask<CreatedKey>('POST', path`/service-accounts/${accountId}/keys`, { body }, options),

    /**
     * Revokes a key: it is refused from the answer on. Needs `service_account:update`.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`; 404 `serviceAccountUnknown`,
     * `keyUnknown`
     * @example
     * await client.serviceAccounts.keys.delete({ accountId: 12, keyId: 31 })
     */
    delete: ({ accountId, keyId }: KeyOfAccount, options?: CallOptions) =>
      ask<null>('DELETE', path`/service-accounts/${accountId}/keys/${keyId}`, {}, options),
  },
})
