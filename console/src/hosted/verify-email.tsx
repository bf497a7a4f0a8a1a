import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button, EmailField, Failure, Form, LinkButton, PasswordField } from './kit.tsx'
import { send } from './send.ts'
import { usePolling, type PolledStepProps } from './use-interaction.ts'
import { useAct, useForm } from './use-form.ts'

/** The person opens the mailed link in another tab. */
export const VerifyEmail = ({ interaction, load }: PolledStepProps) => {
  const { t } = useTranslation()
  const { id, account } = interaction
  const [sentTo, setSentTo] = useState('')
  const [isChanging, setChanging] = useState(false)
  const sending = useAct(async () => {
    // Not sent by `act`, because the answer of an act mounts the step again.
    await send('POST', `/oauth2/interactions/${id}/verification`, {})
    setSentTo(account)
  })
  const [hasAsked, setAsked] = useState(false)
  usePolling(load)
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
      <Failure error={sending.error} />
      {isChanging ? (
        <ChangeEmail
          id={id}
          onSent={(email) => {
            setSentTo(email)
            setChanging(false)
          }}
        />
      ) : (
        <Button className="primary" onClick={() => void ask()}>
          {t('hosted.verifyDone')}
        </Button>
      )}
      <p className="link-buttons">
        <LinkButton onClick={sending.run}>{t('hosted.verifyAgain')}</LinkButton>
        {!isChanging && <LinkButton onClick={() => setChanging(true)}>{t('hosted.verifyChange')}</LinkButton>}
      </p>
    </>
  )
}

/** Corrects a mistyped address. */
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
      <EmailField autoComplete="username" autoFocus required />
      <PasswordField
        name="old_password"
        label={t('fields.password')}
        autoComplete="current-password"
        required
      />
    </Form>
  )
}
