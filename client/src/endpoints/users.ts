import { path, type Api } from '../api.ts'
import type { CreateUser, ListUsersQuery, UpdateUser, User } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Users of the tenant in scope. */
export const userEndpoints = ({ ask, askPage, askAll }: Api) => ({
  /**
   * Lists users by id (`sort: '-id'`: the newest first), a page at a time. Needs `user:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items, total, isCapped } = await client.users.list({ search: 'ada', page_size: 50 })
   * console.log(items.length, isCapped ? `more than ${total}` : total)
   */
  list: (query: ListUsersQuery = {}, options?: CallOptions) => askPage<User>('/users', query, options),

  /**
   * All users that match, fetched page by page (200 unless `page_size` says otherwise) as the loop comes to them; leaving
   * the loop fetches no more. Nobody comes twice, and nobody is missed when the loop itself changes or deletes users. Needs
   * `user:read`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * for await (const user of client.users.all({ search: 'example.com', status: 1 })) console.log(user.email)
   */
  all: (query: Omit<ListUsersQuery, 'page'> = {}, options?: CallOptions) =>
    askAll<User>('/users', query, options, query.sort ?? 'id'),

  /**
   * Reads a user. Needs `user:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const user = await client.users.get(7)
   * console.log(user.last_login || 'never')
   */
  get: (id: number, options?: CallOptions) => ask<User>('GET', path`/users/${id}`, {}, options),

  /**
   * Creates a user, who starts with the role `member`. Needs `user:create`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 409 `emailTaken`, `usernameTaken`; 503
   * `overloaded`
   * @example
   * const { id } = await client.users.create({
   *   email: 'grace@example.com',
   *   username: 'grace',
   *   password: 'a fine long password',
   * })
   * console.log(id)
   */
  create: (body: CreateUser, options?: CallOptions) => ask<User>('POST', '/users', { body }, options),

  /**
   * Changes a user; what is left out stays. Status 0 disables: it ends their sessions. Needs `user:update`.
   *
   * @throws ApiError 400 `invalidInput`, `ownAccount`, `lastPlatformAdmin`; 403 `permissionMissing`,
   * `targetOutranksCaller`; 404 `userUnknown`; 409 `emailTaken`
   * @example
   * await client.users.update(7, { nickname: 'Grace', status: 1 })
   */
  update: (id: number, body: UpdateUser, options?: CallOptions) =>
    ask<User>('PUT', path`/users/${id}`, { body }, options),

  /**
   * Deletes a user and ends their sessions. Needs `user:delete`.
   *
   * @throws ApiError 400 `invalidInput`, `ownAccount`, `lastPlatformAdmin`; 403 `permissionMissing`,
   * `targetOutranksCaller`; 404 `userUnknown`
   * @example
   * await client.users.delete(7)
   */
  delete: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/users/${id}`, {}, options),
})
