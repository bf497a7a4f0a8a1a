import type { Session } from '@tenantry/client'
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation, type TextKey } from '../../translation.ts'
import { client } from '../../session/client.ts'
import { isRestricted } from '../../session/sign-in.ts'
import { Frame, Host } from '../frame.tsx'
import { Button, Failure, Notice } from '../kit.tsx'
import { useRead } from '../use-form.ts'
import { AccountContext } from './account.ts'
import { DataPage } from './data.tsx'
import { DevicesPage } from './devices.tsx'
import { Header } from './header.tsx'
import { OrganizationsPage } from './organizations.tsx'
import { ProfilePage } from './profile.tsx'
import { beginHere, noteShown, sessionEnded } from './session.ts'
import { SignInPage } from './sign-in.tsx'

interface Page {
  path: string
  title: TextKey
  Content: ComponentType
}

const pages: Page[] = [
  { path: '/account/profile', title: 'ownAccount.profile', Content: ProfilePage },
  { path: '/account/sign-in', title: 'ownAccount.signIn', Content: SignInPage },
  { path: '/account/devices', title: 'ownAccount.devices', Content: DevicesPage },
  { path: '/account/organizations', title: 'ownAccount.organizations', Content: OrganizationsPage },
  { path: '/account/data', title: 'ownAccount.data', Content: DataPage },
]

const readPath = (): string => location.pathname.replace(/\/$/, '')

const findPage = (): Page | undefined =>
  readPath() === '/account' ? pages[0] : pages.find(({ path }) => path === readPath())

const saidMs = 8000

/** A text that stays for a while. */
const useSaid = () => {
  const [said, setSaid] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = (text: string): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(''), saidMs)
    setSaid(text)
  }
  return { said, say }
}

const readPerson = async ({ tenantId }: Session) => {
  const [user, tenant, options, factors] = await Promise.all([
    client.profile.get({ include: 'email_confirmed' }),
    client.tenants.get(tenantId),
    client.auth.options({ tenant: tenantId }),
    // The provider of an organization proves its people, who change no password here.
    client.factors.list().catch(() => undefined),
  ])
  noteShown()
  return { user, tenant, options, hasPassword: factors?.has_password ?? true }
}

export const AccountPage = ({ session }: { session: Session }) => {
  const { t } = useTranslation()
  const person = useRead(() =>
    readPerson(session).catch((err: unknown) => {
      if (isRestricted(err)) return beginHere()
      throw err
    }),
  )
  const { said, say } = useSaid()
  const account = person.data && { ...person.data, renew: person.retry, say }
  return (
    <div className="account-page">
      <Header session={session} email={account?.user.email} />
      <Navigation />
      <Main>
        {account ? (
          <AccountContext value={account}>
            <Content />
          </AccountContext>
        ) : person.error === undefined ? (
          <p className="dimmed">{t('common.loading')}</p>
        ) : (
          <>
            <Failure error={person.error} />
            <Button onClick={person.retry}>{t('common.retry')}</Button>
          </>
        )}
      </Main>
      <footer>
        <Host />
      </footer>
      <div role="status" className="said">
        {said !== '' && <Notice kind="good">{said}</Notice>}
      </div>
    </div>
  )
}

const Navigation = () => {
  const { t } = useTranslation()
  const present = findPage()
  return (
    <nav aria-label={t('ownAccount.title')}>
      <ul>
        {pages.map((page) => (
          <li key={page.path}>
            <a href={`${page.path}${location.search}`} aria-current={page === present ? 'page' : undefined}>
              {t(page.title)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Main = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const isEnded = sessionEnded.useValue()
  const title = t(isEnded ? 'hosted.ended' : (findPage()?.title ?? 'common.notFound'))
  useEffect(() => {
    document.title = `${title} · ${location.host}`
  }, [title])
  return (
    <main>
      <h1>{title}</h1>
      {isEnded ? (
        <div className="stack">
          <Notice kind="warning">{t('hosted.endedText')}</Notice>
          <Button className="primary" onClick={() => void beginHere()}>
            {t('signIn.title')}
          </Button>
        </div>
      ) : (
        children
      )}
    </main>
  )
}

const Content = () => {
  const { t } = useTranslation()
  const page = findPage()
  return page ? <page.Content /> : <p>{t('common.notFoundText')}</p>
}

/** For a code that is spent, or that another browser has asked for. */
export const SignInFailed = () => {
  const { t } = useTranslation()
  return (
    <Frame title={t('signIn.failed')} takesFocus={false}>
      <Notice kind="warning">{t('signIn.failedText')}</Notice>
      <a href="/account" className="button primary">
        {t('signIn.begin')}
      </a>
    </Frame>
  )
}
