import { ApiError } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Field, Form, Message, Way } from './kit.tsx'
import { send } from './send.ts'
import type { StepProps } from './step.ts'
import { useForm } from './use-form.ts'
import { useOptions } from './use-options.ts'

interface SignUpProps extends Pick<StepProps, 'interaction'> {
  /** Shows that the sign-in is over. */
  load: (error: unknown) => Promise<void>
  onBack: () => void
}

/** Asks for the link that creates an organization. Its page leads back to the application. */
export const SignUp = ({ interaction, load, onBack }: SignUpProps) => {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  return (
    <>
      {sentTo === undefined ? (
        <AskForm {...{ interaction, load }} onSent={setSentTo} />
      ) : (
        <Asked email={sentTo} onAgain={() => setSentTo(undefined)} />
      )}
      <p className="center dimmed">
        {t('signIn.haveAccount')} <Way onClick={onBack}>{t('signIn.title')}</Way>
      </p>
    </>
  )
}

interface AskFormProps extends Omit<SignUpProps, 'onBack'> {
  onSent: (email: string) => void
}

const isOver = (error: unknown): boolean => error instanceof ApiError && error.reason === 'interactionUnknown'

const AskForm = ({ interaction: { id, account }, load, onSent }: AskFormProps) => {
  const { t } = useTranslation()
  const form = useForm(
    async ({ organization = '', email = '' }) => {
      const asked = { organization: organization.trim(), email: email.trim() }
      try {
        await send('POST', `/oauth2/interactions/${id}/sign-up`, asked)
        onSent(asked.email)
      } catch (err) {
        if (!isOver(err)) throw err
        await load(err)
      }
    },
    { email: 'email', organization: 'organization' },
  )
  return (
    <>
      <p className="dimmed">{t('signUp.text')}</p>
      <Form {...form} submit={t('signUp.ask')}>
        <Field
          name="organization"
          label={t('signUp.name')}
          autoComplete="organization"
          autoCapitalize="words"
          required
          autoFocus
          fault={form.faults['organization']}
        />
        <Field
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="email"
          required
          defaultValue={account}
          fault={form.faults['email']}
        />
      </Form>
    </>
  )
}

const Asked = ({ email, onAgain }: { email: string; onAgain: () => void }) => {
  const { t } = useTranslation()
  const isInFile = useOptions()?.mail_in_files === true
  return (
    <>
      <Message kind="good">
        <b>{t('signUp.sent')}</b>
        <span>{t('signUp.sentText', { email })}</span>
      </Message>
      <p className="dimmed">{t(isInFile ? 'signUp.inFile' : 'signUp.nothing')}</p>
      <p className="center">
        <Way onClick={onAgain}>{t('signUp.again')}</Way>
      </p>
    </>
  )
}
