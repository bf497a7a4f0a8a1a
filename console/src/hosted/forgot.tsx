import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Field, Form, Message, Way } from './kit.tsx'
import { isReason } from './link-token.ts'
import { send } from './send.ts'
import { useForm } from './use-form.ts'

interface ForgotProps {
  /** The address that was typed before. */
  account: string
  /** The sign-in that the link leads back to; undefined for the page of a link. */
  interaction?: string
  onBack?: () => void
}

/** A link that a sign-in asks for leads back to its application, while that sign-in goes on. */
const ask = async (email: string, interaction: string | undefined): Promise<unknown> => {
  const askHere = () => send('POST', '/api/v1/auth/password/forgot', { email })
  if (interaction === undefined) return askHere()
  return send('POST', `/oauth2/interactions/${interaction}/forgot`, { email }).catch((err: unknown) => {
    if (isReason(err, 'interactionUnknown')) return askHere()
    throw err
  })
}

/** Mails a link to a new password. The service answers every address alike, so this step tells nothing either. */
export const Forgot = ({ account, interaction, onBack }: ForgotProps) => {
  const { t } = useTranslation()
  const [email, setEmail] = useState(account)
  const [isAsked, setAsked] = useState(false)
  const onSent = (sentTo: string): void => {
    setEmail(sentTo)
    setAsked(true)
  }
  return (
    <>
      {isAsked ? (
        <Asked email={email} onAgain={() => setAsked(false)} />
      ) : (
        <AskForm {...{ email, interaction, onSent }} />
      )}
      {onBack && (
        <p className="center">
          <Way onClick={onBack}>{t('recovery.toSignIn')}</Way>
        </p>
      )}
    </>
  )
}

interface AskFormProps {
  email: string
  interaction: string | undefined
  onSent: (email: string) => void
}

const AskForm = ({ email: initial, interaction, onSent }: AskFormProps) => {
  const { t } = useTranslation()
  const form = useForm(
    async ({ email = '' }) => {
      await ask(email.trim(), interaction)
      onSent(email.trim())
    },
    { email: 'email' },
  )
  return (
    <>
      <p className="dimmed">{t('recovery.forgotHint')}</p>
      <Form {...form} submit={t('recovery.forgotSubmit')}>
        <Field
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="username"
          autoFocus
          required
          defaultValue={initial}
          fault={form.faults['email']}
        />
      </Form>
    </>
  )
}

const Asked = ({ email, onAgain }: { email: string; onAgain: () => void }) => {
  const { t } = useTranslation()
  return (
    <>
      <Message kind="good">
        <b>{t('recovery.sent')}</b>
        <span>{t('recovery.sentText', { email })}</span>
      </Message>
      <p className="dimmed">{t('recovery.nothing')}</p>
      <p className="center">
        <Way onClick={onAgain}>{t('recovery.askAgain')}</Way>
      </p>
    </>
  )
}
