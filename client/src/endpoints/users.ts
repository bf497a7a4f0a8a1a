import { path, type Api } from '../api.ts'
import type { CreateUser, ListedUser, ListUsersQuery, UpdateUser, User, UserSession } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Users of the tenant in scope. */
export const userEndpoints = ({ ask, askPage, askAll }: Api) => ({
  /**
   * Lists users a page at a time, by id unless `sort` says otherwise. More than 10,000 matches come by id: the page then has
   * `isSortIgnored`. `include` adds the roles of each user (`roles`), when it was created (`created_at`), or both
   * (`created_at,roles`). Needs `user:read`, and `role:read` for roles.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items, total, isCapped } = await client.users.list({ search: 'ada', page_size: 50 })
   * console.log(items.length, isCapped ? `more than ${total}` : total)
   */
  list: (query: ListUsersQuery = {}, options?: CallOptions) => askPage<ListedUser>('/users', query, options),

  /**
   * Loops over all matching users. It fetches a page (200 users unless `page_size` says otherwise) when the loop comes to
   * it. The loop may change and delete users: no user comes twice, and none is missed. Needs `user:read`.
   *
   * @throws ApiError from the loop: 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * for await (const user of client.users.all({ search: 'example.com', status: 1 })) console.log(user.email)
   */
  all: (
    query: Omit<ListUsersQuery, 'page' | 'sort'> & { sort?: 'id' | '-id' | undefined } = {},
    options?: CallOptions,
  ) => askAll<ListedUser>('/users', 'after_id', query, options),

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
   * Creates a user with the role `member`. Needs `user:create`.
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
   * Changes a user. Omitted fields stay. Status 0 disables the user and ends their sessions. Needs `user:update`.
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

  /**
   * Lists the sessions of a user in the tenant in scope, the last used first: at most 200. Needs `user:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const sessions = await client.users.sessions(7)
   * console.log(sessions.map(({ ip, last_used_at }) => [ip, last_used_at]))
   */
  sessions: (id: number, options?: CallOptions) =>
    ask<UserSession[]>('GET', path`/users/${id}/sessions`, {}, options),

  /**
   * Ends the sessions of a user in the tenant in scope, and those that belong to the same sign-ins. Needs `user:update`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `targetOutranksCaller`; 404 `userUnknown`
   * @example
   * await client.users.endSessions(7)
   */
  endSessions: (id: number, options?: CallOptions) =>
    ask<null>('DELETE', path`/users/${id}/sessions`, {}, options),

  /**
   * Removes all second factors of a user who has lost them, and ends their sessions. Needs `user:update`.
   *
   * @throws ApiError 400 `invalidInput`, `ownAccount`; 403 `permissionMissing`, `targetOutranksCaller`; 404 `userUnknown`
   * @example
   * await client.users.resetFactors(7)
   */
  resetFactors: (id: number, options?: CallOptions) =>
    ask<null>('DELETE', path`/users/${id}/factors`, {}, options),
})
