import type { WayBack } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { send } from './send.ts'

/** The application at whose sign-in a mailed link began. */
export type Home = NonNullable<WayBack['application']>

/** Without an answer the page leads into the console, as that of a link without an application. */
export const findHome = async (token: string): Promise<Home | undefined> => {
  const found = await send<WayBack>('POST', '/oauth2/way-back', { token }).catch(() => undefined)
  return found?.application ?? undefined
}

/** Leads to the application, or into the console. */
export const HomeLink = ({ home, console }: { home: Home | undefined; console: string }) => {
  const { t } = useTranslation()
  return (
    // The session of the console may have ended with the link, while the sign-in goes on.
    <a href={home?.home_url ?? '/console/sign-in'} className="button primary">
      {home ? t('recovery.toApplication', { name: home.name }) : console}
    </a>
  )
}
