import { useEffect, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button, Failure, Field, Form, PasswordField, Way } from './kit.tsx'
import { send } from './send.ts'
import type { StepProps } from './step.ts'
import { useAct, useForm } from './use-form.ts'

const everyMs = 10_000

interface VerifyEmailProps extends StepProps {
  /** Asks for the present step. */
  load: () => Promise<void>
}

const useLook = (load: () => Promise<void>): void => {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void load()
    }
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [load])
}

/** The person opens the mailed link in another tab; this page notices. */
export const VerifyEmail = ({ interaction, load }: VerifyEmailProps) => {
  const { t } = useTranslation()
  const { id, account } = interaction
  const [sentTo, setSentTo] = useState('')
  const [isChanging, setChanging] = useState(false)
  const sending = useAct(async () => {
    // Not an act: it would draw the step anew.
    await send('POST', `/oauth2/interactions/${id}/verification`, {})
    setSentTo(account)
  })
  const [hasAsked, setAsked] = useState(false)
  useLook(load)
  const ask = async (): Promise<void> => {
    setAsked(false)
    await load()
    setAsked(true)
  }
  return (
    <>
      <p>{t('hosted.verifyText', { email: sentTo || account })}</p>
      <p className="dimmed" role="status">
        {t(hasAsked ? 'hosted.verifyNotYet' : 'hosted.verifyHint')}
      </p>
      <Button className="primary" onClick={() => void ask()}>
        {t('hosted.verifyDone')}
      </Button>
      <Failure error={sending.error} />
      {isChanging && (
        <ChangeEmail
          id={id}
          onSent={(email) => {
            setSentTo(email)
            setChanging(false)
          }}
        />
      )}
      <p className="ways">
        <Way onClick={sending.run}>{t('hosted.verifyAgain')}</Way>
        {!isChanging && <Way onClick={() => setChanging(true)}>{t('hosted.verifyChange')}</Way>}
      </p>
    </>
  )
}

/** For an address that was mistyped. */
const ChangeEmail = ({ id, onSent }: { id: string; onSent: (email: string) => void }) => {
  const { t } = useTranslation()
  const form = useForm(
    async ({ email = '', old_password = '' }) => {
      const address = email.trim()
      await send('POST', `/oauth2/interactions/${id}/email`, { email: address, password: old_password })
      onSent(address)
    },
    { email: 'email' },
  )
  return (
    <Form {...form} submit={t('hosted.verifyChange')}>
      <Field
        name="email"
        type="email"
        label={t('fields.email')}
        autoComplete="email"
        autoFocus
        required
        fault={form.faults['email']}
      />
      <PasswordField
        name="old_password"
        label={t('fields.password')}
        autoComplete="current-password"
        required
        fault={form.faults['old_password']}
      />
    </Form>
  )
}
