import { useTranslation } from '../translation.ts'
import { discover } from './provider.tsx'
import { EmailField, Form, LinkButton } from './kit.tsx'
import { PasskeySignIn } from './factor.tsx'
import { Providers } from './providers.tsx'
import type { StepProps } from './use-interaction.ts'
import { useForm } from './use-form.ts'

interface IdentifyProps extends StepProps {
  /** True if the person wants another account than that of the interaction. */
  isAnew: boolean
  onRegister: () => void
  onSignUp: () => void
}

export const Identify = ({ interaction, act, isAnew, onRegister, onSignUp }: IdentifyProps) => {
  const { t } = useTranslation()
  const { methods, account } = interaction
  const identify = async (email: string): Promise<void> => {
    // The next step reads the answer at once (`lastDiscovered`).
    await discover(email)
    await act('identify', { email })
  }
  const form = useForm(({ email = '' }) => identify(email.trim()), { email: 'email' })
  return (
    <>
      <Form {...form} submit={t('hosted.next')}>
        <EmailField
          autoComplete="username webauthn"
          autoFocus
          required
          defaultValue={isAnew ? '' : account}
        />
      </Form>
      {methods.includes('passkey') && <PasskeySignIn act={act} id={interaction.id} isListed />}
      <Providers interaction={interaction} />
      {methods.includes('register') && (
        <p className="center dimmed">
          {t('signIn.noAccount')} <LinkButton onClick={onRegister}>{t('signIn.register')}</LinkButton>
        </p>
      )}
      {methods.includes('sign_up') && (
        <p className="center dimmed">
          {t('signIn.noAccount')} <LinkButton onClick={onSignUp}>{t('signIn.signUp')}</LinkButton>
        </p>
      )}
    </>
  )
}
