import { useState, type ComponentType } from 'react'
import { useTranslation } from '../translation.ts'
import { ConfirmEmail } from './confirm-email.tsx'
import { Device } from './device.tsx'
import { Ended, endOf } from './ends.tsx'
import { Frame } from './frame.tsx'
import { AcceptInvitation, ConfirmSignUp } from './join.tsx'
import { LoggedOutPage, LogOut } from './log-out.tsx'
import { Outcome } from './outcome.tsx'
import { ProofLink } from './proof-link.tsx'
import { ResetPassword } from './reset-password.tsx'
import { SignIn } from './sign-in.tsx'

interface Place {
  interaction: string | undefined
  /** The parameters of the application. */
  logout: string | undefined
  /** The token of a mailed link. */
  proof: string | undefined
  /** The code of a device that came by its link. */
  code: string | undefined
}

const readPlace = (): Place => ({
  interaction: /^#(?:proof=[\w-]{1,128}&)?interaction=([\da-f-]{36})$/i.exec(location.hash)?.[1],
  logout: /^#logout=(.*)$/.exec(location.hash)?.[1],
  proof: /^#proof=([\w-]{1,128})&/.exec(location.hash)?.[1],
  code: /^#code=([A-Z]{4}-[A-Z]{4})$/.exec(location.hash)?.[1],
})

const addressOf = (id: string): string => `/sign-in#interaction=${id}`

/** Reads the address. The token of a link leaves it at once, so that no history shows it. */
const takePlace = (): Place => {
  const place = readPlace()
  if (place.proof !== undefined) history.replaceState(null, '', addressOf(place.interaction ?? ''))
  return place
}

/** The page that the address names. */
export const Page = () => {
  const [{ interaction, logout, proof, code }, setPlace] = useState(takePlace)
  const goOn = (id: string): void => {
    history.replaceState(null, '', addressOf(id))
    setPlace(readPlace)
  }
  if (interaction !== undefined && proof !== undefined) {
    return <ProofLink id={interaction} token={proof} onProved={goOn} />
  }
  if (interaction !== undefined) return <SignIn id={interaction} />
  if (logout !== undefined) return <LogOut query={decodeURIComponent(logout)} />
  if (location.pathname === '/sign-in/device') return <Device linked={code} onFound={goOn} />
  return <Named />
}

/** The page of an address that names nothing under way. */
const Named = () => {
  const end = endOf(location.hash)
  if (end) return <Ended {...end} />
  const Found = location.hash === '#signed-out' ? LoggedOutPage : (named[location.pathname] ?? Nothing)
  return <Found />
}

/** The pages of mailed links, and the end of a test. */
const named: Partial<Record<string, ComponentType>> = {
  '/sign-in/accept-invitation': AcceptInvitation,
  '/sign-in/reset-password': ResetPassword,
  '/sign-in/sign-up': ConfirmSignUp,
  '/sign-in/verify-email': ConfirmEmail,
  '/sign-in/outcome': Outcome,
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
