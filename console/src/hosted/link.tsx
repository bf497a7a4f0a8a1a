import type { WayBack } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Message } from './kit.tsx'
import { isReason, send } from './send.ts'

/** The paths of the pages that mailed links open. */
export type LinkPage =
  | '/sign-in/accept-invitation'
  | '/sign-in/reset-password'
  | '/sign-in/sign-up'
  | '/sign-in/verify-email'

const keyOf = (page: string): string => `tenantry.link${page}`

/**
 * Moves the token of a mailed link out of the address, so that no history shows it. This tab keeps the token until the
 * click uses it: before that, the person may sign in or reload.
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

export const isLinkDead = (error: unknown): boolean => isReason(error, 'linkDead')

interface DeadLinkProps {
  /** The possible reason why the link is invalid. */
  text: string
  /** The button or link with which the person continues. */
  children: ReactNode
}

export const DeadLink = ({ text, children }: DeadLinkProps) => {
  const { t } = useTranslation()
  return (
    <>
      <Message kind="warning">
        <b>{t('recovery.dead')}</b>
        <span>{text}</span>
      </Message>
      {children}
    </>
  )
}

/** The application whose sign-in requested the mailed link. */
export type LinkApplication = NonNullable<WayBack['application']>

/** The application of a mailed link, and what its page asks for. Says nothing after a failed request. */
export const findWayBack = (token: string): Promise<WayBack> =>
  send<WayBack>('POST', '/oauth2/way-back', { token }).catch(() => ({
    application: null,
    email: '',
    asks_password: false,
  }))

/** Undefined for a link without an application, and after a failed request. */
export const findApplication = async (token: string): Promise<LinkApplication | undefined> =>
  (await findWayBack(token)).application ?? undefined

/** A link to the application, or else to the console. */
export const ApplicationLink = ({
  home,
  console,
}: {
  home: LinkApplication | undefined
  console: string
}) => {
  const { t } = useTranslation()
  return (
    // The link may have ended the console's session, so without an application the person signs in first.
    <a href={home?.home_url ?? '/console/sign-in'} className="button primary">
      {home ? t('recovery.toApplication', { name: home.name }) : console}
    </a>
  )
}
