import type { Api } from '../api.ts'
import type {
  CheckAnswer,
  CheckQuestion,
  ExplainQuestion,
  Explanation,
  GetHeldPermissionsQuery,
  HeldPermissions,
  Preview,
  PreviewQuestion,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'

/**
 * Decisions about permissions. Without `user_id`, and with the caller's own, a question is about the caller and needs no
 * permission.
 */
export const authzEndpoints = ({ ask }: Api) => ({
  /**
   * Lists the permissions that a user holds now; none for a disabled user. With `session_id` the call fails when that
   * session of the user is over. Questions about others need `authz:check`.
   *
   * @throws ApiError 403 `permissionMissing`; 404 `userUnknown` or `sessionUnknown`
   * @example
   * const { permissions } = await client.authz.permissions()
   * console.log(permissions.includes('user:read'))
   */
  permissions: (query: GetHeldPermissionsQuery = {}, options?: CallOptions) =>
    ask<HeldPermissions>('GET', '/authz/permissions', { query }, options),

  /**
   * Checks up to 100 permissions of one user at once. A code that the catalogue lacks is an error, so a misspelt code
   * never reads as "no". Questions about others need `authz:check`.
   *
   * @throws ApiError 400 `unknownPermission`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const { allowed } = await client.authz.check({ permissions: ['user:read', 'audit:read'] })
   * console.log(allowed ? 'may read users and records' : 'may not')
   */
  check: (body: CheckQuestion, options?: CallOptions) =>
    ask<CheckAnswer>('POST', '/authz/check', { body }, options),

  /**
   * Names the roles that give a user a permission, and the reason why it counts or not. Needs `role:read` and
   * `user:read`.
   *
   * @throws ApiError 400 `unknownPermission`; 403 `permissionMissing`; 404 `userUnknown`
   * @example
   * const { id } = await client.profile.get()
   * const { reason, roles } = await client.authz.explain({ user_id: id, permission: 'user:read' })
   * console.log(reason, roles.map(({ name }) => name).join(', '))
   */
  explain: (body: ExplainQuestion, options?: CallOptions) =>
    ask<Explanation>('POST', '/authz/explain', { body }, options),

  /**
   * Tells which users would gain and lose permissions by up to 20 changes, and changes nothing. `refused` names the first
   * change that would be refused. Needs `role:read` and `user:read`; a caller has one preview at a time. One that takes too
   * long is not retried, because it would hold up changes in its tenant again.
   *
   * @throws ApiError 400 `invalidInput`; 403 `permissionMissing`; 429 `tooManyRequests`; 503 `overloaded` after 2 seconds
   * @example
   * const [role] = await client.roles.list()
   * const changes = [{ kind: 'delete_role' as const, role_id: role?.id ?? 0 }]
   * const { losses, refused } = await client.authz.preview({ changes })
   * console.log(refused?.error.message ?? `${losses.length} users lose permissions`)
   */
  preview: (body: PreviewQuestion, options?: CallOptions) =>
    ask<Preview>('POST', '/authz/preview', { body, lasting: 503 }, options),
})
