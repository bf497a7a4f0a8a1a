import { useTranslation } from '../translation.ts'
import { discover } from './discover.ts'
import { Field, Form, Way } from './kit.tsx'
import { PasskeyWay } from './passkey-way.tsx'
import type { StepProps } from './step.ts'
import { useForm } from './use-form.ts'

interface IdentifyProps extends StepProps {
  /** Another person than the one of the interaction. */
  isAnew: boolean
  onRegister: () => void
  onSignUp: () => void
}

export const Identify = ({ interaction, act, isAnew, onRegister, onSignUp }: IdentifyProps) => {
  const { t } = useTranslation()
  const { methods, account } = interaction
  const identify = async (email: string): Promise<void> => {
    // The next step shows the way to the provider at once.
    await discover(email)
    await act('identify', { email })
  }
  const form = useForm(({ email = '' }) => identify(email.trim()), { email: 'email' })
  return (
    <>
      <Form {...form} submit={t('hosted.next')}>
        <Field
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="username webauthn"
          autoFocus
          required
          defaultValue={isAnew ? '' : account}
          fault={form.faults['email']}
        />
      </Form>
      {methods.includes('passkey') && <PasskeyWay act={act} id={interaction.id} />}
      {methods.includes('register') && (
        <p className="center dimmed">
          {t('signIn.noAccount')} <Way onClick={onRegister}>{t('signIn.register')}</Way>
        </p>
      )}
      {methods.includes('sign_up') && (
        <p className="center dimmed">
          {t('signIn.noAccount')} <Way onClick={onSignUp}>{t('signIn.signUp')}</Way>
        </p>
      )}
    </>
  )
}
