import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'

const route = getRouteApi('/sign-in')

const SignInForm = () => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { next = '/' } = route.useSearch()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } })
  const { onSubmit, isSending, error } = useSubmit(form, async ({ email, password }) => {
    await client.auth.login({ email: email.trim(), password })
    await navigate({ to: '/', href: next })
  })
  return (
    <EntryForm {...{ onSubmit, isSending, error }} submit={t('signIn.submit')}>
      <TextInput
        label={t('fields.email')}
        type="email"
        autoComplete="username"
        required
        autoFocus
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t('fields.password')}
        autoComplete="current-password"
        required
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </EntryForm>
  )
}

export const SignInPage = () => {
  const { t } = useTranslation()
  const { ended } = route.useSearch()
  const { registration } = route.useRouteContext()
  return (
    <EntryFrame title={t('signIn.title')}>
      <Stack>
        {ended && <Alert color="yellow">{t('signIn.ended')}</Alert>}
        <SignInForm />
        {registration.open && (
          <Text size="sm" ta="center" c="dimmed">
            {t('signIn.noAccount')}{' '}
            <Anchor component={Link} to="/register" underline="always" inherit>
              {t('signIn.register')}
            </Anchor>
          </Text>
        )}
      </Stack>
    </EntryFrame>
  )
}
