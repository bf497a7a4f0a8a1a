import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { EmailField, Form, LinkButton, Message } from './kit.tsx'
import { isReason, send } from './send.ts'
import { useForm, useOptions } from './use-form.ts'
import { useWork, Working } from './use-work.tsx'

interface ForgotProps {
  /** The address that the person has already typed. */
  account: string
  /** The sign-in that the mailed link returns to; undefined on the page of a link. */
  interaction?: string
  onBack?: () => void
}

type WithWork = ReturnType<typeof useWork>['withWork']

/**
 * Requests the link within the interaction, so that the mailed link names its application. Without an interaction,
 * requests it directly.
 */
const ask = async (email: string, interaction: string | undefined, withWork: WithWork): Promise<unknown> => {
  const askAt = (path: string) => withWork((work) => send('POST', path, { email, ...work }))
  const askHere = () => askAt('/api/v1/auth/password/forgot')
  if (interaction === undefined) return askHere()
  return askAt(`/oauth2/interactions/${interaction}/forgot`).catch((err: unknown) => {
    if (isReason(err, 'interactionUnknown')) return askHere()
    throw err
  })
}

/**
 * Mails a link that sets a new password. This step does not reveal whether the account exists, as the service does not.
 */
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
          <LinkButton onClick={onBack}>{t('recovery.toSignIn')}</LinkButton>
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
  const { withWork, isWorking } = useWork(useOptions())
  const form = useForm(
    async ({ email: typed = '' }) => {
      const email = typed.trim()
      await ask(email, interaction, withWork)
      onSent(email)
    },
    { email: 'email' },
  )
  return (
    <>
      <p className="dimmed">{t('recovery.forgotHint')}</p>
      <Form {...form} submit={t('recovery.forgotSubmit')}>
        <EmailField autoComplete="username" autoFocus required defaultValue={initial} />
        <Working isWorking={isWorking} />
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
        <b>{t('recovery.sent')}</b>
        <span>{t('recovery.sentText', { email })}</span>
      </Message>
      <p className="dimmed">{t(isInFile ? 'signUp.inFile' : 'recovery.nothing')}</p>
      <p className="center">
        <LinkButton onClick={onAgain}>{t('recovery.askAgain')}</LinkButton>
      </p>
    </>
  )
}
