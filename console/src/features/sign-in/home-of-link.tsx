import { Button } from '@mantine/core'
import type { WayBack } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { send } from '../../hosted/send.ts'

/** The application at whose sign-in a mailed link began. */
export type Home = NonNullable<WayBack['application']>

/** Without an answer the page leads into the console, as that of a link without an application. */
export const findHome = async (token: string | undefined): Promise<Home | undefined> => {
  if (token === undefined) return undefined
  const found = await send<WayBack>('POST', '/oauth2/way-back', { token }).catch(() => undefined)
  return found?.application ?? undefined
}

export const HomeButton = ({ home: { name, home_url: url } }: { home: Home }) => {
  const { t } = useTranslation()
  return (
    <Button component="a" href={url}>
      {t('recovery.toApplication', { name })}
    </Button>
  )
}
