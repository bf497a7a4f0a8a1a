import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client, signOut } from '../../session/client.ts'
import { EntryForm } from './entry-form.tsx'
import { DeadLink } from './dead-link.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { HomeButton, type Home } from './home-of-link.tsx'
import { dropToken, isLinkDead } from './link-token.ts'

const route = getRouteApi('/reset-password')

interface ResetProps {
  token: string
  /** Undefined for a link that leads into the console. */
  home: Home | undefined
  onDone: () => void
}

const useResetForm = ({ token, home, onDone }: ResetProps) => {
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
    if (home) onDone()
    else await navigate({ to: '/sign-in', search: { reset: true } })
  })
  return { form, ...sending }
}

const ResetForm = (props: ResetProps) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useResetForm(props)
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

const Done = ({ home }: { home: Home }) => {
  const { t } = useTranslation()
  return (
    <>
      <EntryMessage color="teal">{t('recovery.resetDone')}</EntryMessage>
      <HomeButton home={home} />
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
  const { token, home } = route.useRouteContext()
  // The router forgets the home with the token.
  const [finished, setFinished] = useState<Home>()
  const form = token !== undefined && (
    <ResetForm key={token} {...{ token, home }} onDone={() => setFinished(home)} />
  )
  return (
    <EntryFrame title={t('signIn.reset')}>
      <Stack>{finished ? <Done home={finished} /> : form || <DeadReset />}</Stack>
    </EntryFrame>
  )
}
