import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Device } from './device.tsx'
import { Frame } from './frame.tsx'
import { LoggedOutPage, LogOut } from './log-out.tsx'
import { Outcome } from './outcome.tsx'
import { SignIn } from './sign-in.tsx'

interface Place {
  interaction: string | undefined
  /** The parameters of the application. */
  logout: string | undefined
}

const readPlace = (): Place => ({
  interaction: /^#interaction=([\da-f-]{36})$/i.exec(location.hash)?.[1],
  logout: /^#logout=(.*)$/.exec(location.hash)?.[1],
})

/** The page that the address names. */
export const Page = () => {
  const [{ interaction, logout }, setPlace] = useState(readPlace)
  if (interaction !== undefined) return <SignIn id={interaction} />
  if (logout !== undefined) return <LogOut query={decodeURIComponent(logout)} />
  if (location.hash === '#signed-out') return <LoggedOutPage />
  const goOn = (id: string): void => {
    history.replaceState(null, '', `/sign-in#interaction=${id}`)
    setPlace(readPlace)
  }
  if (location.pathname === '/sign-in/device') return <Device onFound={goOn} />
  return location.pathname === '/sign-in/outcome' ? <Outcome /> : <Nothing />
}

/** Nobody sent the person here. */
const Nothing = () => {
  const { t } = useTranslation()
  return (
    <Frame title={t('hosted.nothing')} takesFocus={false}>
      <p>{t('hosted.nothingText')}</p>
      <a href="/console/" className="button">
        {t('hosted.toConsole')}
      </a>
    </Frame>
  )
}
