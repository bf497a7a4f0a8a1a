import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { send } from '../../hosted/send.ts'
import { client } from '../../session/client.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'

const route = getRouteApi('/forgot-password')

const isOver = (error: unknown): boolean => error instanceof ApiError && error.reason === 'interactionUnknown'

/** A link that the sign-in to an application asks for leads back there, while that sign-in goes on. */
const ask = async (email: string, interaction: string | undefined): Promise<unknown> => {
  const askHere = () => client.auth.forgotPassword({ email })
  if (interaction === undefined) return askHere()
  return send('POST', `/oauth2/interactions/${interaction}/forgot`, { email }).catch((err: unknown) => {
    if (isOver(err)) return askHere()
    throw err
  })
}

interface AskFormProps {
  email: string
  onSent: (email: string) => void
}

const AskForm = ({ email: initial, onSent }: AskFormProps) => {
  const { t } = useTranslation()
  const { interaction } = route.useRouteContext()
  const check = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: initial },
    validate: { email: check('email') },
  })
  const { onSubmit, isSending, error } = useSubmit(form, async ({ email }) => {
    await ask(email.trim(), interaction)
    onSent(email.trim())
  })
  return (
    <>
      <Text c="dimmed">{t('recovery.forgotHint')}</Text>
      <EntryForm {...{ onSubmit, isSending, error }} submit={t('recovery.forgotSubmit')}>
        <TextInput
          label={t('fields.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
      </EntryForm>
    </>
  )
}

/** The service answers every address alike, so this page tells nothing either. */
const Asked = ({ email, onAgain }: { email: string; onAgain: () => void }) => {
  const { t } = useTranslation()
  return (
    <>
      <EntryMessage color="teal" title={t('recovery.sent')}>
        {t('recovery.sentText', { email })}
      </EntryMessage>
      <Text size="sm" c="dimmed">
        {t('recovery.nothing')}
      </Text>
      <Button variant="default" onClick={onAgain}>
        {t('recovery.askAgain')}
      </Button>
    </>
  )
}

export const ForgotPasswordPage = () => {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [isAsked, setAsked] = useState(false)
  const onSent = (sentTo: string): void => {
    setEmail(sentTo)
    setAsked(true)
  }
  return (
    <EntryFrame title={t('signIn.forgot')}>
      <Stack>
        {isAsked ? (
          <Asked email={email} onAgain={() => setAsked(false)} />
        ) : (
          <AskForm email={email} onSent={onSent} />
        )}
        <TextLink to="/sign-in" size="sm" ta="center" underline="always">
          {t('recovery.toSignIn')}
        </TextLink>
      </Stack>
    </EntryFrame>
  )
}
