/** An application can require a permission of its users. */
export interface UsedApplication {
  /** The code of the permission; null for none. */
  required_permission: string | null
}

/**
 * Whether a user with these permissions may use the application. The user's own permissions count, not those of a
 * session. Everybody lacks a deleted permission.
 */
export const mayUse = ({ required_permission: required }: UsedApplication, held: Iterable<string>): boolean =>
  required === null || new Set(held).has(required)
