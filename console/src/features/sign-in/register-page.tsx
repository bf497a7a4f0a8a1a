import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'

const route = getRouteApi('/register')

const RegisterForm = ({ submit }: { submit: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const check = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', username: '', password: '' },
    validate: { email: check('email'), username: check('username'), password: check('password') },
  })
  const { onSubmit, isSending, error } = useSubmit(form, async ({ email, username, password }) => {
    await client.auth.register({ email: email.trim(), username: username.trim(), password })
    await navigate({ to: '/' })
  })
  return (
    <EntryForm {...{ onSubmit, isSending, error, submit }}>
      <TextInput
        label={t('fields.email')}
        type="email"
        autoComplete="email"
        required
        autoFocus
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
      <TextInput
        label={t('fields.username')}
        description={t('fields.usernameHint')}
        autoComplete="username"
        required
        key={form.key('username')}
        {...form.getInputProps('username')}
      />
      <PasswordField
        label={t('fields.password')}
        description={t('fields.passwordHint')}
        autoComplete="new-password"
        required
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </EntryForm>
  )
}

const SignInLink = () => {
  const { t } = useTranslation()
  return (
    <Text size="sm" ta="center" c="dimmed">
      {t('signIn.haveAccount')}{' '}
      <Anchor component={Link} to="/sign-in" underline="always" inherit>
        {t('signIn.title')}
      </Anchor>
    </Text>
  )
}

const Closed = () => {
  const { t } = useTranslation()
  return (
    <EntryFrame title={t('signIn.closed')}>
      <Stack>
        <Text>{t('signIn.closedHint')}</Text>
        <SignInLink />
      </Stack>
    </EntryFrame>
  )
}

/** On an empty installation nobody can sign in yet, and the page explains the role of the first account. */
export const RegisterPage = () => {
  const { t } = useTranslation()
  const { registration } = route.useRouteContext()
  const isFirst = registration.first_becomes_admin
  if (!registration.open) return <Closed />
  return (
    <EntryFrame title={isFirst ? t('signIn.first') : t('signIn.register')}>
      <Stack>
        {isFirst && <Text c="dimmed">{t('signIn.firstHint')}</Text>}
        <RegisterForm submit={isFirst ? t('signIn.firstSubmit') : t('signIn.registerSubmit')} />
        {!isFirst && <SignInLink />}
      </Stack>
    </EntryFrame>
  )
}
