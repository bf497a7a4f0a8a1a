import { path, type Api } from '../api.ts'
import type { CreateInvitation, Invitation, ListInvitationsQuery } from '../schema.ts'
import type { CallOptions } from '../send.ts'

/** Invitations to the tenant in scope. */
export const invitationEndpoints = ({ ask, askPage }: Api) => ({
  /**
   * Lists invitations, the newest first. Closed ones go after 90 days. Needs `user:read`.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`
   * @example
   * const { items } = await client.invitations.list({ status: 'pending' })
   * console.log(items.map(({ email, expires_at }) => [email, expires_at]))
   */
  list: (query: ListInvitationsQuery = {}, options?: CallOptions) =>
    askPage<Invitation>('/invitations', query, options),

  /**
   * Invites a person. The link is mailed; where e-mail is off, `link` shows it in this answer alone. Needs `user:create`,
   * and every permission of the roles.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`, `grantExceedsOwn`; 404 `roleUnknown`; 409 `emailTaken`,
   * `invitationOpen`; 429 `tooManyRequests` with `retryAfterSeconds`
   * @example
   * const { link } = await client.invitations.create({ email: 'grace@example.com', role_ids: [3] })
   * console.log(link || 'the link was mailed')
   */
  create: (body: CreateInvitation, options?: CallOptions) =>
    ask<Invitation>('POST', '/invitations', { body }, options),

  /**
   * Sends an open invitation again. Its new link lives 7 days, and the earlier one is dead. Needs `user:create`, and every
   * permission of the roles.
   *
   * @throws ApiError 403 `permissionMissing`, `grantExceedsOwn`; 404 `invitationUnknown`; 429 `tooManyRequests` with
   * `retryAfterSeconds`
   * @example
   * const { expires_at } = await client.invitations.resend(7)
   * console.log(expires_at)
   */
  resend: (id: number, options?: CallOptions) =>
    ask<Invitation>('POST', path`/invitations/${id}/resend`, {}, options),

  /**
   * Revokes an open invitation. Needs `user:create`.
   *
   * @throws ApiError 403 `permissionMissing`; 404 `invitationUnknown`
   * @example
   * await client.invitations.revoke(7)
   */
  revoke: (id: number, options?: CallOptions) => ask<null>('DELETE', path`/invitations/${id}`, {}, options),
})
