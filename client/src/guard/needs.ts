/** The permissions that a route requires. Made by `signedIn`, `allOf` or `anyOf`. */
export interface Need {
  /** All codes that the route may check. */
  codes: readonly string[]
  /** The message about missing permissions; undefined if none is missing. */
  lacking: (permissions: readonly string[]) => string | undefined
}

/** A permission code, or the result of `allOf`, `anyOf` or `signedIn`. */
export type Needed = string | Need

/** Throws for an empty list, which a program may have computed: it would open the route to everybody. */
const requireCodes = (name: string, codes: readonly string[]): void => {
  if (codes.length === 0) throw new TypeError(`${name} needs a permission code`)
}

/** Admits every caller with a valid token, a live session and an enabled tenant, without any permission. */
export const signedIn = (): Need => ({ codes: [], lacking: () => undefined })

/** Admits callers who hold all of these permissions. */
export const allOf = (...codes: string[]): Need => {
  requireCodes('allOf', codes)
  return {
    codes,
    lacking: (permissions) => {
      const missing = codes.filter((code) => !permissions.includes(code))
      return missing.length === 0 ? undefined : `You lack the permission ${missing.join(', ')}`
    },
  }
}

/** Admits callers who hold one of these permissions. */
export const anyOf = (...codes: string[]): Need => {
  requireCodes('anyOf', codes)
  return {
    codes,
    lacking: (permissions) =>
      codes.some((code) => permissions.includes(code))
        ? undefined
        : `You need one of the permissions ${codes.join(', ')}`,
  }
}

export const needOf = (needed: Needed): Need => (typeof needed === 'string' ? allOf(needed) : needed)
