import { useTranslation } from '../translation.ts'
import { Field, Form, PasswordField, Way } from './kit.tsx'
import type { StepProps } from './step.ts'
import { useForm } from './use-form.ts'

const checks = { email: 'email', username: 'username', password: 'password' } as const

interface RegisterProps extends StepProps {
  /** Absent where nobody has an account yet: the first one becomes administrator. */
  onBack?: () => void
}

export const Register = ({ interaction, act, onBack }: RegisterProps) => {
  const { t } = useTranslation()
  const form = useForm(
    ({ email = '', username = '', password = '' }) =>
      act('register', { email: email.trim(), username: username.trim(), password }),
    checks,
  )
  return (
    <>
      {!onBack && <p className="dimmed">{t('signIn.firstHint')}</p>}
      <Form {...form} submit={t(onBack ? 'signIn.registerSubmit' : 'signIn.firstSubmit')}>
        <Field
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="email"
          required
          defaultValue={interaction.account}
          fault={form.faults['email']}
        />
        <Field
          name="username"
          label={t('fields.username')}
          hint={t('fields.usernameHint')}
          autoComplete="username"
          required
          fault={form.faults['username']}
        />
        <PasswordField
          name="password"
          label={t('fields.password')}
          hint={t('fields.passwordHint')}
          autoComplete="new-password"
          required
          fault={form.faults['password']}
        />
      </Form>
      {onBack && (
        <p className="center dimmed">
          {t('signIn.haveAccount')} <Way onClick={onBack}>{t('signIn.title')}</Way>
        </p>
      )}
    </>
  )
}
