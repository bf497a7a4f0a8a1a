import type { Look, Session } from '@tenantry/client'
import { useEffect } from 'react'
import { signOut } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { Brand, ownLook, useAccent } from '../frame.tsx'
import { showIcon } from '../icon.ts'
import { LinkButton } from '../kit.tsx'
import { send } from '../send.ts'
import { useAct, useRead } from '../use-form.ts'

/** The application that linked to the page. Every page of the account keeps it in its address. */
const clientId = new URLSearchParams(location.search).get('client_id') ?? ''

const isOfConsole = clientId === 'console'

const withoutLook: Look = { application: null, branding: ownLook }

const readLook = ({ tenantId }: Session): Promise<Look> =>
  send<Look>('POST', '/oauth2/look', { client_id: clientId, tenant: tenantId }).catch(() => withoutLook)

interface HeaderProps {
  session: Session
  email: string | undefined
}

export const Header = ({ session, email }: HeaderProps) => {
  const look = useRead(() => readLook(session)).data
  return <header>{look && <Contents {...look} email={email} />}</header>
}

const Contents = ({ application, branding, email }: Look & Pick<HeaderProps, 'email'>) => {
  const { t } = useTranslation()
  const leaving = useAct(() => signOut())
  useAccent(branding.color)
  useEffect(() => showIcon(branding.icon), [branding.icon])
  return (
    <>
      <Brand {...((!isOfConsole && application) || branding)} />
      <p className="account">
        {application && <WayBack {...application} />}
        {email !== undefined && <span className="dimmed">{email}</span>}
        <LinkButton onClick={leaving.run}>{t('ownAccount.signOut')}</LinkButton>
      </p>
    </>
  )
}

const WayBack = ({ name, home_url: home }: NonNullable<Look['application']>) => {
  const { t } = useTranslation()
  if (home === '') return null
  return <a href={home}>{isOfConsole ? t('ownAccount.backToConsole') : t('ownAccount.back', { name })}</a>
}
