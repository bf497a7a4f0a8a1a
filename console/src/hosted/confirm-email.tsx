import type { WayBack } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { useTranslation } from '../translation.ts'
import {
  ApplicationLink,
  DeadLink,
  dropToken,
  findWayBack,
  isLinkDead,
  takeToken,
  type LinkApplication,
} from './link.tsx'
import { Frame } from './frame.tsx'
import { EmailField, Failure, Form, Message, PasswordField } from './kit.tsx'
import { isReason, send } from './send.ts'
import { useForm, useNewPasswordHint } from './use-form.ts'

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

/** The service finds the application only while the token is valid. */
const useWayBack = (token: string): WayBack | undefined => {
  const [back, setBack] = useState<WayBack>()
  useEffect(() => void findWayBack(token).then(setBack), [token])
  return back
}

const NextPassword = () => {
  const { t, gap } = useTranslation()
  const hint = useNewPasswordHint()
  return (
    <PasswordField
      name="new_password"
      label={t('recovery.newPassword')}
      hint={[t('recovery.verifyPassword'), hint].join(gap)}
      autoComplete="new-password"
      required
    />
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
  const back = useWayBack(token)
  const { error, ...form } = useForm(
    async ({ new_password }) => {
      await send('POST', '/oauth2/verify-email', { token, ...(new_password && { new_password }) })
      dropToken(page)
      onDone(back?.application ?? undefined)
    },
    { new_password: 'password' },
  )
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
    back && (
      <>
        <p className="dimmed">{t('recovery.verifyHint')}</p>
        <Form {...form} error={error} submit={t('recovery.verifySubmit')}>
          {back.email !== '' && <EmailField autoComplete="username" readOnly value={back.email} />}
          {back.asks_password && <NextPassword />}
        </Form>
      </>
    )
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
