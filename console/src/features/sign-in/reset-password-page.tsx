import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client, signOut } from '../../session/client.ts'
import { EntryForm } from './entry-form.tsx'
import { DeadLink } from './dead-link.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { dropToken, isLinkDead } from './link-token.ts'

const route = getRouteApi('/reset-password')

const useResetForm = (token: string) => {
  const navigate = useNavigate()
  const check = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { new_password: '' },
    validate: { new_password: check('password') },
  })
  const sending = useSubmit(form, async ({ new_password }) => {
    await client.auth.resetPassword({ token, new_password })
    dropToken('/reset-password')
    // The service has ended the sessions of the account. The one that this browser holds may be among them.
    await signOut()
    await navigate({ to: '/sign-in', search: { reset: true } })
  })
  return { form, ...sending }
}

const ResetForm = ({ token }: { token: string }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useResetForm(token)
  if (isLinkDead(error)) return <DeadReset />
  return (
    <>
      <Text c="dimmed">{t('recovery.resetHint')}</Text>
      <EntryForm {...{ onSubmit, isSending, error }} submit={t('recovery.resetSubmit')}>
        <PasswordField
          label={t('recovery.newPassword')}
          description={t('fields.passwordHint')}
          autoComplete="new-password"
          required
          autoFocus
          key={form.key('new_password')}
          {...form.getInputProps('new_password')}
        />
      </EntryForm>
    </>
  )
}

const DeadReset = () => {
  const { t } = useTranslation()
  return (
    <DeadLink to="/forgot-password" way={t('recovery.newLink')}>
      {t('recovery.resetDead')}
    </DeadLink>
  )
}

/** A page of a mailed link, which acts on a click: programs that check e-mails open links, too. */
export const ResetPasswordPage = () => {
  const { t } = useTranslation()
  const { token } = route.useRouteContext()
  return (
    <EntryFrame title={t('signIn.reset')}>
      <Stack>{token === undefined ? <DeadReset /> : <ResetForm key={token} token={token} />}</Stack>
    </EntryFrame>
  )
}
