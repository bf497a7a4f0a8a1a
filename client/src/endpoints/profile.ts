import type { Api } from '../api.ts'
import type { UpdateProfile, User } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** The user who is signed in. */
export const profileEndpoints = ({ ask }: Api) => ({
  /**
   * Reads the user who is signed in.
   *
   * @throws ApiError 401 `tokenMissing` when nobody is signed in
   * @example
   * const { username, email } = await client.profile.get()
   * console.log(username, email)
   */
  get: (options?: CallOptions) => ask<User>('GET', '/profile', {}, options),

  /**
   * Changes the own nickname and picture. Omitted fields stay.
   *
   * @throws ApiError 400 `invalidInput`; 401 `tokenMissing` when nobody is signed in
   * @example
   * await client.profile.update({ nickname: 'Ada' })
   */
  update: (body: UpdateProfile, options?: CallOptions) => ask<User>('PUT', '/profile', { body }, options),
})
