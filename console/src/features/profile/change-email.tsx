import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'

interface ChangeEmailProps {
  onClose: () => void
  onSent: (email: string) => void
}

/** Mails a link to the new address. The link changes the address. */
export const ChangeEmail = ({ onClose, onSent }: ChangeEmailProps) => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  const form = useForm({
    // The service's refusal of the password names this field.
    initialValues: { email: '', old_password: '' },
    validate: { email: check('email') },
  })
  const sending = useSubmit(form, async ({ email, old_password: password }) => {
    await client.auth.changeEmail({ email: email.trim(), password })
    onSent(email.trim())
    onClose()
  })
  return (
    <FieldsDialog
      title={t('profile.changeEmail')}
      submit={t('profile.sendLink')}
      {...{ form, sending, onClose }}
    >
      <Text size="sm">{t('profile.changeEmailText')}</Text>
      <TextInput
        label={t('profile.newEmail')}
        type="email"
        autoComplete="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('profile.oldPassword')}
        autoComplete="current-password"
        required
        {...form.getInputProps('old_password')}
      />
    </FieldsDialog>
  )
}
