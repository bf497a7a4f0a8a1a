import { useTranslation } from '../translation.ts'
import { Field, Form, PasswordField, Way } from './kit.tsx'
import { PasskeyWay } from './passkey-way.tsx'
import { ProviderFirst } from './provider-way.tsx'
import type { StepProps } from './step.ts'
import { useForm } from './use-form.ts'
import { useOptions } from './use-options.ts'

interface PasswordProps extends StepProps {
  onOther: () => void
  onForgot: () => void
}

export const Password = ({ interaction, act, onOther, onForgot }: PasswordProps) => {
  const { t } = useTranslation()
  const { account, methods, id } = interaction
  const offersReset = useOptions()?.password_reset === true
  const form = useForm(({ email = '', password = '' }) => act('password', { email, password }))
  return (
    <>
      <ProviderFirst email={account} interaction={id} error={form.error}>
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
        {offersReset && <Way onClick={onForgot}>{t('signIn.forgot')}</Way>}
      </p>
    </>
  )
}
