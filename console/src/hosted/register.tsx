import { useState } from 'react'
import { usePasswordHint } from '../components/password-hint.ts'
import { useTranslation } from '../translation.ts'
import { EmailField, Field, Form, LinkButton, Message, PasswordField } from './kit.tsx'
import { Providers } from './providers.tsx'
import { isReason, send } from './send.ts'
import { useForm, useOptions } from './use-form.ts'
import { useWork, Working } from './use-work.tsx'
import type { StepProps } from './use-interaction.ts'

const checks = { email: 'email', username: 'username', password: 'password' } as const

interface RegisterProps extends StepProps {
  /** Absent if the installation has no account yet: the first account becomes administrator. */
  onBack?: () => void
}

/** Registration joins the tenant with this slug. */
const builtInSlug = 'default'

export const Register = ({ interaction, act, onBack }: RegisterProps) => {
  const { t } = useTranslation()
  const options = useOptions(builtInSlug)
  const hint = usePasswordHint()(options?.passwords)
  const { withWork, isWorking } = useWork(options)
  const form = useForm(
    ({ email = '', username = '', password = '' }) =>
      withWork((work) =>
        act('register', { email: email.trim(), username: username.trim(), password, ...work }),
      ),
    checks,
  )
  return (
    <>
      {!onBack && <p className="dimmed">{t('signIn.firstHint')}</p>}
      <Form {...form} submit={t(onBack ? 'signIn.registerSubmit' : 'signIn.firstSubmit')}>
        {/* People sign in with the e-mail, so it is what a password manager keeps beside the password. */}
        <EmailField autoComplete="username" required defaultValue={interaction.account} />
        <Field
          name="username"
          label={t('fields.username')}
          hint={t('fields.usernameHint')}
          autoComplete="off"
          required
        />
        <PasswordField
          name="password"
          label={t('fields.password')}
          hint={hint}
          autoComplete="new-password"
          required
        />
        <Working isWorking={isWorking} />
      </Form>
      <Providers interaction={interaction} />
      {onBack && (
        <p className="center dimmed">
          {t('signIn.haveAccount')} <LinkButton onClick={onBack}>{t('signIn.title')}</LinkButton>
        </p>
      )}
    </>
  )
}

interface SignUpProps extends Pick<StepProps, 'interaction'> {
  /** Reads the present step after an error that means the end of the sign-in. */
  load: (error: unknown) => Promise<void>
  onBack: () => void
}

/** Requests a mailed link that creates an organization. */
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
        {t('signIn.haveAccount')} <LinkButton onClick={onBack}>{t('signIn.title')}</LinkButton>
      </p>
    </>
  )
}

interface AskFormProps extends Omit<SignUpProps, 'onBack'> {
  onSent: (email: string) => void
}

const AskForm = ({ interaction: { id, account }, load, onSent }: AskFormProps) => {
  const { t } = useTranslation()
  const { withWork, isWorking } = useWork(useOptions())
  const form = useForm(
    async ({ organization = '', email = '' }) => {
      const asked = { organization: organization.trim(), email: email.trim() }
      try {
        await withWork((work) => send('POST', `/oauth2/interactions/${id}/sign-up`, { ...asked, ...work }))
        onSent(asked.email)
      } catch (err) {
        if (!isReason(err, 'interactionUnknown')) throw err
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
        />
        <EmailField autoComplete="email" required defaultValue={account} />
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
        <b>{t('signUp.sent')}</b>
        <span>{t('signUp.sentText', { email })}</span>
      </Message>
      <p className="dimmed">{t(isInFile ? 'signUp.inFile' : 'signUp.nothing')}</p>
      <p className="center">
        <LinkButton onClick={onAgain}>{t('signUp.again')}</LinkButton>
      </p>
    </>
  )
}
