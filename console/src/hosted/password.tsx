import { useEffect, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { send } from './send.ts'
import { Field, Form, PasswordField, Way } from './kit.tsx'
import { PasskeyWay } from './passkey-way.tsx'
import { ProviderFirst } from './provider-way.tsx'
import type { StepProps } from './step.ts'
import { useForm } from './use-form.ts'

interface Options {
  password_reset: boolean
}

/** Whether the installation mails links for a new password. */
const useReset = (): boolean => {
  const [isOffered, setOffered] = useState(false)
  useEffect(() => {
    const read = async (): Promise<void> => {
      const options = await send<Options>('GET', '/api/v1/auth/options').catch(() => undefined)
      setOffered(options?.password_reset === true)
    }
    void read()
  }, [])
  return isOffered
}

export const Password = ({ interaction, act, onOther }: StepProps & { onOther: () => void }) => {
  const { t } = useTranslation()
  const { account, methods, id } = interaction
  const offersReset = useReset()
  const form = useForm(({ email = '', password = '' }) => act('password', { email, password }))
  return (
    <>
      <ProviderFirst email={account} interaction={id}>
        <Form {...form} submit={t('signIn.submit')}>
          <Field
            name="email"
            type="email"
            label={t('fields.email')}
            autoComplete="username"
            readOnly
            value={account}
          />
          <PasswordField
            name="password"
            label={t('fields.password')}
            autoComplete="current-password"
            required
            fault={form.faults['password']}
          />
        </Form>
      </ProviderFirst>
      {methods.includes('passkey') && <PasskeyWay act={act} id={id} />}
      <p className="ways">
        <Way onClick={onOther}>{t('hosted.otherAddress')}</Way>
        {offersReset && (
          <a href={`/console/forgot-password#interaction=${id}`} target="_blank" rel="noreferrer">
            {t('signIn.forgot')}
            <span className="unseen"> {t('hosted.newTab')}</span>
          </a>
        )}
      </p>
    </>
  )
}
