import { redirect } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'

/** The pages that links of e-mails open. */
type LinkPage = '/accept-invitation' | '/reset-password' | '/sign-up' | '/verify-email'

const keyOf = (page: LinkPage): string => `tenantry.link${page}`

/**
 * Gives the token of a mailed link. It leaves the address at once, so that no history shows it. This tab keeps it until
 * it is used: a sign-in or a reload may come before the click.
 */
export const takeToken = (page: LinkPage, hash: string): string | undefined => {
  const token = /^token=([\w-]{1,128})$/.exec(hash)?.[1]
  if (token !== undefined) {
    sessionStorage.setItem(keyOf(page), token)
    redirect({ to: page, replace: true, throw: true })
  }
  return sessionStorage.getItem(keyOf(page)) ?? undefined
}

export const dropToken = (page: LinkPage): void => sessionStorage.removeItem(keyOf(page))

export const isLinkDead = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'linkDead'
