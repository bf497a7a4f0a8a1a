import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import {
  ApplicationLink,
  DeadLink,
  dropToken,
  findApplication,
  isLinkDead,
  takeToken,
  type LinkApplication,
} from './link.tsx'
import { Frame } from './frame.tsx'
import { Button, Failure, Message } from './kit.tsx'
import { isReason, send } from './send.ts'
import { useAct } from './use-form.ts'

const page = '/sign-in/verify-email'

/** Signs in to the console, and then returns to this page. */
const signInFirst = `/console/sign-in?next=${encodeURIComponent(page)}&prompt=login`

/** Acts only on a click, because programs that check e-mails also open links. */
export const ConfirmEmail = () => {
  const { t } = useTranslation()
  const [token] = useState(() => takeToken(page))
  const [done, setDone] = useState<{ home: LinkApplication | undefined }>()
  return (
    <Frame title={t('signIn.verify')} takesFocus={false}>
      {done ? (
        <>
          <Message kind="good">{t('recovery.verified')}</Message>
          <ApplicationLink home={done.home} console={t('common.home')} />
        </>
      ) : token === undefined ? (
        <Dead />
      ) : (
        <Confirm token={token} onDone={(home) => setDone({ home })} />
      )}
    </Frame>
  )
}

const Dead = () => {
  const { t } = useTranslation()
  return (
    <DeadLink text={t('recovery.verifyDead')}>
      <a href="/account/sign-in" className="button primary">
        {t('recovery.toProfile')}
      </a>
    </DeadLink>
  )
}

const Confirm = ({
  token,
  onDone,
}: {
  token: string
  onDone: (home: LinkApplication | undefined) => void
}) => {
  const { t } = useTranslation()
  const { isSending, error, run } = useAct(async () => {
    // The service finds the application only while the token is valid.
    const home = await findApplication(token)
    await send('POST', '/oauth2/verify-email', { token })
    dropToken(page)
    onDone(home)
  })
  if (isLinkDead(error)) return <Dead />
  if (isReason(error, 'tokenInvalid')) return <SignInFirst />
  if (isReason(error, 'linkOfAnother')) {
    return (
      <>
        <Failure error={error} />
        <a href={signInFirst} className="button">
          {t('recovery.otherAccount')}
        </a>
      </>
    )
  }
  return (
    <>
      <Failure error={error} />
      <p className="dimmed">{t('recovery.verifyHint')}</p>
      <Button className="primary" isSending={isSending} onClick={run}>
        {t('recovery.verifySubmit')}
      </Button>
    </>
  )
}

/** The link stays valid, and this tab keeps its token. */
const SignInFirst = () => {
  const { t } = useTranslation()
  return (
    <>
      <p className="dimmed">{t('recovery.signInFirst')}</p>
      <a href={signInFirst} className="button primary">
        {t('signIn.title')}
      </a>
    </>
  )
}
