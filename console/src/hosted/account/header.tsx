import type { Look, Session } from '@tenantry/client'
import { useEffect } from 'react'
import { client, signOut } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { Brand, ownLook, useAccent } from '../frame.tsx'
import { showIcon } from '../icon.ts'
import { LinkButton } from '../kit.tsx'
import { send } from '../send.ts'
import { useAct, useRead } from '../use-form.ts'

const withoutLook: Look = { application: null, branding: ownLook }

/**
 * The application that linked to the page, which every page of the account keeps in its address. Without one, it is the
 * console, for those who see more there than the dashboard of every user.
 */
const findClient = async (): Promise<string> => {
  const named = new URLSearchParams(location.search).get('client_id')
  if (named !== null) return named
  const { permissions } = await client.authz.permissions()
  return permissions.includes('user:read') ? 'console' : ''
}

const readLook = async ({ tenantId }: Session) => {
  const clientId = await findClient().catch(() => '')
  const look = await send<Look>('POST', '/oauth2/look', { client_id: clientId, tenant: tenantId }).catch(
    () => withoutLook,
  )
  return { ...look, isOfConsole: clientId === 'console' }
}

interface HeaderProps {
  session: Session
  email: string | undefined
}

export const Header = ({ session, email }: HeaderProps) => {
  const look = useRead(() => readLook(session)).data
  return <header>{look && <Contents {...look} email={email} />}</header>
}

interface ContentsProps extends Look, Pick<HeaderProps, 'email'> {
  isOfConsole: boolean
}

const Contents = ({ application, branding, email, isOfConsole }: ContentsProps) => {
  const { t } = useTranslation()
  const leaving = useAct(() => signOut())
  useAccent(branding.color)
  useEffect(() => showIcon(branding.icon), [branding.icon])
  return (
    <>
      <Brand {...((!isOfConsole && application) || branding)} />
      <p className="account">
        {application && <WayBack {...application} isOfConsole={isOfConsole} />}
        {email !== undefined && <span className="dimmed">{email}</span>}
        <LinkButton onClick={leaving.run}>{t('ownAccount.signOut')}</LinkButton>
      </p>
    </>
  )
}

interface WayBackProps extends Pick<NonNullable<Look['application']>, 'name' | 'home_url'> {
  isOfConsole: boolean
}

const WayBack = ({ name, home_url: home, isOfConsole }: WayBackProps) => {
  const { t } = useTranslation()
  if (home === '') return null
  return <a href={home}>{isOfConsole ? t('ownAccount.backToConsole') : t('ownAccount.back', { name })}</a>
}
