import { ApiError } from '@tenantry/client'

/** The pages that links of e-mails open, by their path. */
export type LinkPage =
  | '/sign-in/accept-invitation'
  | '/sign-in/reset-password'
  | '/sign-in/sign-up'
  | '/sign-in/verify-email'

const keyOf = (page: string): string => `tenantry.link${page}`

/**
 * Gives the token of a mailed link. It leaves the address at once, so that no history shows it. This tab keeps it until
 * it is used: a sign-in or a reload may come before the click.
 */
export const takeToken = (page: LinkPage): string | undefined => {
  const token = /^#token=([\w-]{1,128})$/.exec(location.hash)?.[1]
  if (token !== undefined) {
    sessionStorage.setItem(keyOf(page), token)
    history.replaceState(null, '', page)
  }
  return sessionStorage.getItem(keyOf(page)) ?? undefined
}

export const dropToken = (page: LinkPage): void => sessionStorage.removeItem(keyOf(page))

export const isReason = (error: unknown, ...reasons: string[]): boolean =>
  error instanceof ApiError && reasons.includes(error.reason)

export const isLinkDead = (error: unknown): boolean => isReason(error, 'linkDead')
