import type { LoggedOut, LogoutQuestion } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Frame } from './frame.tsx'
import { Button, Failure, Notice } from './kit.tsx'
import { send } from './send.ts'
import { useAct } from './use-form.ts'
import { useRead } from './use-read.ts'

/** Asks before it signs out: any page can send a person here. */
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
    </Frame>
  )
}
