import type { Interaction } from '@tenantry/client'
import { useState, type ComponentType } from 'react'
import { useTranslation } from '../translation.ts'
import { ConfirmEmail } from './confirm-email.tsx'
import { Device } from './device.tsx'
import { Ended, endOf, LoggedOutPage, LogOut, Outcome } from './ends.tsx'
import { Frame } from './frame.tsx'
import { AcceptInvitation, ConfirmSignUp } from './join.tsx'
import { Button, Failure, Notice } from './kit.tsx'
import { ResetPassword } from './reset-password.tsx'
import { isReason, send } from './send.ts'
import { SignIn } from './sign-in.tsx'
import { useAct } from './use-form.ts'

interface Address {
  interaction: string | undefined
  /** The query of the application's logout request. */
  logout: string | undefined
  /** The token of a mailed link. */
  proof: string | undefined
  /** The user code in the link of a device. */
  code: string | undefined
}

const readAddress = (): Address => ({
  interaction: /^#(?:proof=[\w-]{1,128}&)?interaction=([\da-f-]{36})$/i.exec(location.hash)?.[1],
  logout: /^#logout=(.*)$/.exec(location.hash)?.[1],
  proof: /^#proof=([\w-]{1,128})&/.exec(location.hash)?.[1],
  code: /^#code=([A-Z]{4}-[A-Z]{4})$/.exec(location.hash)?.[1],
})

const addressOf = (id: string): string => `/sign-in#interaction=${id}`

/** Reads the address, and removes the token of a mailed link from it, so that no history shows the token. */
const takeAddress = (): Address => {
  const address = readAddress()
  if (address.proof !== undefined) {
    history.replaceState(null, '', addressOf(address.interaction ?? ''))
  }
  return address
}

export const Page = () => {
  const [{ interaction, logout, proof, code }, setAddress] = useState(takeAddress)
  const goOn = (id: string): void => {
    history.replaceState(null, '', addressOf(id))
    setAddress(readAddress)
  }
  if (interaction !== undefined && proof !== undefined) {
    return <ProofLink id={interaction} token={proof} onProved={goOn} />
  }
  if (interaction !== undefined) return <SignIn id={interaction} />
  if (logout !== undefined) return <LogOut query={decodeURIComponent(logout)} />
  if (location.pathname === '/sign-in/device') return <Device linked={code} onFound={goOn} />
  return <PageWithoutInteraction />
}

const PageWithoutInteraction = () => {
  const end = endOf(location.hash)
  if (end) return <Ended {...end} />
  const Found = location.hash === '#signed-out' ? LoggedOutPage : (pages[location.pathname] ?? NoPage)
  return <Found />
}

/** The pages of mailed links and of the end of a test, by path. */
const pages: Partial<Record<string, ComponentType>> = {
  '/sign-in/accept-invitation': AcceptInvitation,
  '/sign-in/reset-password': ResetPassword,
  '/sign-in/sign-up': ConfirmSignUp,
  '/sign-in/verify-email': ConfirmEmail,
  '/sign-in/outcome': Outcome,
}

/** For an address that no application and no e-mail uses. */
const NoPage = () => {
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

interface ProofLinkProps {
  id: string
  token: string
  onProved: (id: string) => void
}

/** Acts only on a click, because programs that check e-mails also open links. */
const ProofLink = ({ id, token, onProved }: ProofLinkProps) => {
  const { t } = useTranslation()
  const proving = useAct(async () => {
    const path = `/oauth2/interactions/${id}/proof`
    const { redirect_to: to } = await send<Interaction>('POST', path, { token })
    // An answer to the application ends the interaction.
    if (to === '') onProved(id)
    else location.replace(to)
  })
  const { error } = proving
  const isElsewhere = isReason(error, 'interactionUnknown')
  return (
    <Frame title={t('hosted.proof')} takesFocus={false}>
      {isElsewhere ? (
        <Notice kind="bad">{t('hosted.proofElsewhere')}</Notice>
      ) : (
        <>
          <p>{t('hosted.proofLinkText')}</p>
          <Failure error={error} />
          <Button className="primary" isSending={proving.isSending} onClick={proving.run}>
            {t('hosted.proofLink')}
          </Button>
        </>
      )}
    </Frame>
  )
}
