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
import { Forgot } from './forgot.tsx'
import { Frame } from './frame.tsx'
import { Button, Form, Message, PasswordField } from './kit.tsx'
import { send } from './send.ts'
import { useForm, useNewPasswordHint } from './use-form.ts'

/** Acts only on a click, because programs that check e-mails also open links. */
export const ResetPassword = () => {
  const { t } = useTranslation()
  const [token] = useState(() => takeToken('/sign-in/reset-password'))
  const [isDead, setDead] = useState(token === undefined)
  const [done, setDone] = useState<{ home: LinkApplication | undefined }>()
  const [isForgotten, setForgotten] = useState(false)
  const title = t(isForgotten ? 'signIn.forgot' : done ? 'recovery.changed' : 'signIn.reset')
  return (
    <Frame key={title} title={title} takesFocus={isForgotten}>
      {isForgotten ? (
        <Forgot account="" />
      ) : done ? (
        <>
          <Message kind="good">{t('recovery.resetDone')}</Message>
          <ApplicationLink home={done.home} console={t('signIn.title')} />
        </>
      ) : token === undefined || isDead ? (
        <DeadLink text={t('recovery.resetDead')}>
          <Button className="primary" onClick={() => setForgotten(true)}>
            {t('recovery.newLink')}
          </Button>
        </DeadLink>
      ) : (
        <ResetForm token={token} onDead={() => setDead(true)} onDone={(home) => setDone({ home })} />
      )}
    </Frame>
  )
}

interface ResetFormProps {
  token: string
  onDead: () => void
  onDone: (home: LinkApplication | undefined) => void
}

const ResetForm = ({ token, onDead, onDone }: ResetFormProps) => {
  const { t } = useTranslation()
  const hint = useNewPasswordHint()
  const form = useForm(
    async ({ new_password = '' }) => {
      // The service finds the application only while the token is valid.
      const home = await findApplication(token)
      try {
        await send('POST', '/api/v1/auth/password/reset', { token, new_password })
      } catch (err) {
        if (!isLinkDead(err)) throw err
        return onDead()
      }
      dropToken('/sign-in/reset-password')
      onDone(home)
    },
    { new_password: 'password' },
  )
  return (
    <>
      <p className="dimmed">{t('recovery.resetHint')}</p>
      <Form {...form} submit={t('recovery.resetSubmit')}>
        <PasswordField
          name="new_password"
          label={t('recovery.newPassword')}
          hint={hint}
          autoComplete="new-password"
          autoFocus
          required
        />
      </Form>
    </>
  )
}
