import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button, CurrentPassword, EmailField, Failure, Form, LinkButton, Notice } from './kit.tsx'
import { EmailCodeButton } from './email-code.tsx'
import { PasskeySignIn } from './factor.tsx'
import { isProviderNeeded, ProviderFirst } from './provider.tsx'
import { Providers } from './providers.tsx'
import { send } from './send.ts'
import { useAct, useForm, useOptions } from './use-form.ts'
import { usePolling, type Act, type PolledStepProps, type StepProps } from './use-interaction.ts'

interface PasswordProps extends StepProps {
  onOther: () => void
  onForgot: () => void
}

export const Password = ({ interaction, act, onOther, onForgot }: PasswordProps) => {
  const { t } = useTranslation()
  const { account, methods, id } = interaction
  const offersReset = useOptions()?.password_reset === true
  const form = usePasswordForm(act)
  const other = isProviderNeeded(form.error) ? [] : methods
  return (
    <>
      <ProviderFirst email={account} interaction={id} error={form.error}>
        {methods.includes('password') && (
          <PasswordForm form={form} account={account} submit={t('signIn.submit')} autoFocus />
        )}
        {methods.includes('email_code') && <EmailCodeButton act={act} />}
      </ProviderFirst>
      {other.includes('passkey') && <PasskeySignIn act={act} id={id} />}
      <Providers interaction={interaction} />
      <p className="link-buttons">
        <LinkButton onClick={onOther}>{t('hosted.otherAddress')}</LinkButton>
        {offersReset && other.includes('password') && (
          <LinkButton onClick={onForgot}>{t('signIn.forgot')}</LinkButton>
        )}
      </p>
    </>
  )
}

const usePasswordForm = (act: Act) =>
  useForm(({ email = '', password = '' }) => act('password', { email, password }))

interface PasswordFormProps {
  form: ReturnType<typeof usePasswordForm>
  account: string
  submit: string
  autoFocus?: boolean
}

/** Password managers find the password by the address above the field. */
const PasswordForm = ({ form, account, submit, autoFocus = false }: PasswordFormProps) => (
  <Form {...form} submit={submit}>
    <EmailField autoComplete="username" readOnly value={account} />
    <CurrentPassword autoFocus={autoFocus} />
  </Form>
)

/** The provider named the address of an existing account, so the person must prove to own the account. */
export const Proof = ({ interaction, act, load }: PolledStepProps) => {
  const { t } = useTranslation()
  const { account, methods, tenants } = interaction
  return (
    <>
      <p>{t('hosted.proofText', { tenant: tenants[0]?.name, email: account })}</p>
      <p className="dimmed">{t('hosted.proofHint')}</p>
      {methods.includes('password') && <ByPassword interaction={interaction} act={act} />}
      {methods.includes('passkey') && <PasskeySignIn act={act} id={interaction.id} />}
      {methods.includes('link') && <ByLink interaction={interaction} load={load} />}
    </>
  )
}

const ByPassword = ({ interaction: { account }, act }: StepProps) => {
  const { t } = useTranslation()
  return <PasswordForm form={usePasswordForm(act)} account={account} submit={t('hosted.proofLink')} />
}

/** The person opens the mailed link in another tab of this browser. */
const ByLink = ({ interaction: { id, account }, load }: Omit<PolledStepProps, 'act'>) => {
  const { t } = useTranslation()
  const [isSent, setSent] = useState(false)
  const sending = useAct(async () => {
    // Not sent by `act`, because the answer of an act mounts the step again.
    await send('POST', `/oauth2/interactions/${id}/proof`, {})
    setSent(true)
  })
  usePolling(load, isSent)
  return (
    <>
      <Failure error={sending.error} />
      <div role="status">
        {isSent && <Notice kind="good">{t('hosted.proofSent', { email: account })}</Notice>}
      </div>
      <Button isSending={sending.isSending} onClick={sending.run}>
        {t(isSent ? 'hosted.proofAgain' : 'hosted.proofMail')}
      </Button>
    </>
  )
}
