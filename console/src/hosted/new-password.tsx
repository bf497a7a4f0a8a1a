import { useTranslation } from '../translation.ts'
import { Form, PasswordField } from './kit.tsx'
import { useForm, useNewPasswordHint } from './use-form.ts'
import type { StepProps } from './use-interaction.ts'

/** Replaces a password that an administrator wants to be replaced. */
export const NewPassword = ({ interaction, act }: StepProps) => {
  const { t } = useTranslation()
  const hint = useNewPasswordHint(interaction.tenants[0]?.id)
  const form = useForm(({ new_password = '' }) => act('new-password', { new_password }), {
    new_password: 'password',
  })
  return (
    <>
      <p className="dimmed">{t('hosted.newPasswordText')}</p>
      <Form {...form} submit={t('hosted.next')}>
        {/* Password managers find the account by it. */}
        <input type="hidden" autoComplete="username" value={interaction.account} readOnly />
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
