import type { LoggedOut, LogoutQuestion } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { useTranslation, type TextKey } from '../translation.ts'
import { Frame } from './frame.tsx'
import { Button, Failure, Notice } from './kit.tsx'
import { send } from './send.ts'
import { useAct, useRead } from './use-form.ts'

interface End {
  title: TextKey
  text: TextKey
  kind?: 'good' | 'warning'
  /** The text of the link into the console. */
  link?: TextKey
}

/** The pages about the end of a console session, by the fragment of the address. */
const ends: Record<string, End> = {
  left: { title: 'hosted.loggedOut', text: 'hosted.left', kind: 'good', link: 'signIn.title' },
  deleted: { title: 'hosted.loggedOut', text: 'signIn.deleted', kind: 'good', link: 'signIn.title' },
  ended: { title: 'hosted.ended', text: 'hosted.endedText', kind: 'warning', link: 'signIn.title' },
  failed: { title: 'signIn.failed', text: 'signIn.failedText', kind: 'warning', link: 'signIn.begin' },
  window: { title: 'hosted.done', text: 'hosted.testClose' },
}

/** The key of the console session in localStorage, which all tabs share. */
const sessionKey = 'tenantry.session'

/** Opens the address after another tab has signed in. */
const useSignInElsewhere = (address: string | undefined): void => {
  useEffect(() => {
    const look = (): void => {
      if (address !== undefined && localStorage.getItem(sessionKey) !== null) location.replace(address)
    }
    look()
    addEventListener('storage', look)
    return () => removeEventListener('storage', look)
  }, [address])
}

/** The name of the end in a fragment, and the console path to open after a sign-in. */
export const endOf = (hash: string): { name: string; path: string } | undefined => {
  const [, name = '', encoded = ''] = /^#(\w+)(?:=(.*))?$/.exec(hash) ?? []
  if (!Object.hasOwn(ends, name)) return undefined
  const path = decodeURIComponent(encoded)
  // Accepts only a path: an address with a host could send the person to another site.
  return { name, path: /^\/(?![/\\])/.test(path) ? path : '/' }
}

export const Ended = ({ name, path }: NonNullable<ReturnType<typeof endOf>>) => {
  const { t } = useTranslation()
  const { title, text, kind, link } = ends[name] as End
  const address = `/console${path}`
  useSignInElsewhere(name === 'ended' ? address : undefined)
  return (
    <Frame title={t(title)} takesFocus={false}>
      {kind ? <Notice kind={kind}>{t(text)}</Notice> : <p className="dimmed">{t(text)}</p>}
      {link && (
        <a href={address} className="button primary">
          {t(link)}
        </a>
      )}
    </Frame>
  )
}

/** Asks first, because any page of the Web can link to this page. */
export const LogOut = ({ query }: { query: string }) => {
  const { t } = useTranslation()
  const [request] = useState(() => Object.fromEntries(new URLSearchParams(query)))
  const { data: question, error } = useRead(() =>
    send<LogoutQuestion>('POST', '/oauth2/logout/question', request),
  )
  const leaving = useAct(async () => {
    const { redirect_to: to } = await send<LoggedOut>('POST', '/oauth2/logout/confirm', request)
    location.assign(to)
  })
  const home = question?.application
  return (
    <Frame title={t('hosted.logOut')} takesFocus={false}>
      <Failure error={error ?? leaving.error} />
      {question && (
        <>
          {question.account !== '' && (
            <p className="dimmed">{t('hosted.signedInAs', { name: question.account })}</p>
          )}
          <p>{t('hosted.logOutText')}</p>
          <Button className="primary" isSending={leaving.isSending} onClick={leaving.run}>
            {t('hosted.logOutNow')}
          </Button>
          {home && home.home_url !== '' && (
            <a href={home.home_url} className="button">
              {t('hosted.toApplication', { name: home.name })}
            </a>
          )}
        </>
      )}
    </Frame>
  )
}

export const LoggedOutPage = () => {
  const { t } = useTranslation()
  return (
    <Frame title={t('hosted.loggedOut')} takesFocus={false}>
      <Notice kind="good">{t('hosted.loggedOutText')}</Notice>
      <a href="/account" className="button">
        {t('signIn.title')}
      </a>
    </Frame>
  )
}

interface Answer {
  /** The `error` of the authorization response (RFC 6749, 4.1.2.1); "" for a code. */
  error: string
  description: string
}

/** Reads the authorization response. Removes it from the address, because it contains an unused code. */
const takeAnswer = (): Answer | undefined => {
  const params = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  if (!params.has('code') && !params.has('error')) return undefined
  return { error: params.get('error') ?? '', description: params.get('error_description') ?? '' }
}

/** Shows the result of a test sign-in. The console started the sign-in with the application's client id. */
export const Outcome = () => {
  const { t } = useTranslation()
  const [answer] = useState(takeAnswer)
  const isGood = answer?.error === ''
  return (
    <Frame title={t(isGood ? 'hosted.tested' : 'hosted.testFailed')} takesFocus={false}>
      {answer === undefined && <p>{t('hosted.testNothing')}</p>}
      {isGood && <Notice kind="good">{t('hosted.testGood')}</Notice>}
      {answer && !isGood && (
        <Notice kind="bad">
          <b>{answer.error}</b>
          <span>{answer.description}</span>
        </Notice>
      )}
      <p className="dimmed">{t('hosted.testClose')}</p>
    </Frame>
  )
}
