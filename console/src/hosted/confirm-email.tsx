import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { DeadLink } from './dead-link.tsx'
import { Frame } from './frame.tsx'
import { Button, Failure, Message } from './kit.tsx'
import { dropToken, isLinkDead, isReason, takeToken } from './link-token.ts'
import { send } from './send.ts'
import { useAct } from './use-form.ts'
import { findHome, HomeLink, type Home } from './way-back.tsx'

const page = '/sign-in/verify-email'

/** Begins the sign-in of the console, and comes back. */
const signInFirst = `/console/sign-in?next=${encodeURIComponent(page)}&prompt=login`

/** A page of a mailed link, which acts on a click: programs that check e-mails open links, too. */
export const ConfirmEmail = () => {
  const { t } = useTranslation()
  const [token] = useState(() => takeToken(page))
  const [done, setDone] = useState<{ home: Home | undefined }>()
  return (
    <Frame title={t('signIn.verify')} takesFocus={false}>
      {done ? (
        <>
          <Message kind="good">{t('recovery.verified')}</Message>
          <HomeLink home={done.home} console={t('common.home')} />
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
      <a href="/console/profile" className="button primary">
        {t('recovery.toProfile')}
      </a>
    </DeadLink>
  )
}

const Confirm = ({ token, onDone }: { token: string; onDone: (home: Home | undefined) => void }) => {
  const { t } = useTranslation()
  const { isSending, error, run } = useAct(async () => {
    // The token tells of its application only while it lives.
    const home = await findHome(token)
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

/** The link stays alive, and its token in this tab. */
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
