import { useState } from 'react'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { Button, Failure, Field, Notice } from '../kit.tsx'
import { useAct } from '../use-form.ts'
import { useAccount } from './account.ts'
import { DialogButton, ProofForm, Section } from './parts.tsx'

export const Email = () => {
  const { t } = useTranslation()
  const { user, options } = useAccount()
  const { email, email_confirmed: isConfirmed = false } = user
  const [sent, setSent] = useState('')
  const sending = useAct(async () => {
    await client.auth.sendVerification()
    setSent(t('profile.verificationSent', { email }))
  })
  return (
    <Section title={t('profile.email')} hint={t('profile.emailText')}>
      <div className="actions">
        <p className="breakable">
          <bdi>{email}</bdi> <mark>{t(isConfirmed ? 'common.confirmed' : 'common.notConfirmed')}</mark>
        </p>
        {options.mail && !isConfirmed && (
          <Button isSending={sending.isSending} onClick={sending.run}>
            {t('profile.sendVerification')}
          </Button>
        )}
      </div>
      <Failure error={sending.error} />
      <div role="status">{sent !== '' && <Notice kind="good">{sent}</Notice>}</div>
      {options.mail ? (
        <div className="actions">
          <DialogButton label={t('profile.changeEmail')}>
            {(close) => (
              <ChangeEmail
                onSent={(address) => {
                  close()
                  setSent(t('profile.changeSent', { email: address }))
                }}
              />
            )}
          </DialogButton>
        </div>
      ) : (
        <p className="dimmed">{t('profile.emailFixed')}</p>
      )}
    </Section>
  )
}

/** Mails a link to the new address. The link changes the address. */
const ChangeEmail = ({ onSent }: { onSent: (email: string) => void }) => {
  const { t } = useTranslation()
  const send = async ({ email = '' }, proof: { password?: string }): Promise<void> => {
    await client.auth.changeEmail({ email: email.trim(), ...proof })
    onSent(email.trim())
  }
  return (
    <>
      <p>{t('profile.changeEmailText')}</p>
      <ProofForm submit={t('profile.sendLink')} send={send} checks={{ email: 'email' }}>
        <Field name="email" type="email" label={t('profile.newEmail')} autoComplete="email" required />
      </ProofForm>
    </>
  )
}
