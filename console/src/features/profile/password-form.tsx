import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'

const usePasswordForm = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const check = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { old_password: '', new_password: '', again: '' },
    validate: {
      new_password: check('password'),
      again: (again, { new_password }) => (again === new_password ? null : t('profile.passwordsDiffer')),
    },
  })
  const sending = useSubmit(form, async ({ old_password, new_password }) => {
    await client.auth.changePassword({ old_password, new_password })
    form.reset()
    notify(t('profile.passwordChanged'))
  })
  return { form, ...sending }
}

export const PasswordForm = () => {
  const { t } = useTranslation()
  const { email } = useMe().user
  const { form, onSubmit, isSending, error } = usePasswordForm()
  const fields = [
    { name: 'old_password', label: t('profile.oldPassword'), autoComplete: 'current-password' },
    { name: 'new_password', label: t('profile.newPassword'), autoComplete: 'new-password' },
    { name: 'again', label: t('profile.again'), autoComplete: 'new-password' },
  ]
  return (
    <Card withBorder padding="lg" id="password" component="section">
      <Title order={2} size="h4">
        {t('places.changePassword')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('profile.changePasswordText')}
      </Text>
      <form noValidate onSubmit={onSubmit}>
        {/* Password managers find the account by it. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          {fields.map(({ name, label, autoComplete }) => (
            <PasswordField
              key={form.key(name)}
              label={label}
              autoComplete={autoComplete}
              required
              {...(name === 'new_password' ? { description: t('fields.passwordHint') } : {})}
              {...form.getInputProps(name)}
            />
          ))}
          <Button type="submit" loading={isSending} style={{ alignSelf: 'flex-start' }}>
            {t('places.changePassword')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
