import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'

interface ProofFormProps {
  text: string
  submit: string
  color?: string
  /** The initial name. Without it, the form does not ask for a name. */
  name?: string
  send: (proof: { name: string; password: string }) => Promise<void>
  onClose: () => void
}

/** Asks for the password before a change of the second factors. */
export const ProofForm = ({ text, submit, color = 'indigo', name, send, onClose }: ProofFormProps) => {
  const { t } = useTranslation()
  // The service's refusal of the password names this field.
  const form = useForm({ initialValues: { name: name ?? '', old_password: '' } })
  const { onSubmit, isSending, error } = useSubmit(form, (values) =>
    send({ name: values.name, password: values.old_password }),
  )
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <Text size="sm">{text}</Text>
        {error !== undefined && <ErrorPanel error={error} />}
        {name !== undefined && (
          <TextInput
            label={t('fields.name')}
            required
            maxLength={64}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        )}
        <PasswordField
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('old_password')}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" color={color} loading={isSending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
