import { useEffect, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button, Failure, Field, Form, Notice, PasswordField } from './kit.tsx'
import { PasskeyWay } from './passkey-way.tsx'
import { send } from './send.ts'
import type { StepProps } from './step.ts'
import { useAct, useForm } from './use-form.ts'

const everyMs = 10_000

interface ProofProps extends StepProps {
  /** Asks for the present step. */
  load: () => Promise<void>
}

/** A provider vouched for an address that an account has. Its person proves it, so that nobody takes it over. */
export const Proof = ({ interaction, act, load }: ProofProps) => {
  const { t } = useTranslation()
  const { account, methods, tenants } = interaction
  return (
    <>
      <p>{t('hosted.proofText', { tenant: tenants[0]?.name, email: account })}</p>
      <p className="dimmed">{t('hosted.proofHint')}</p>
      {methods.includes('password') && <ByPassword interaction={interaction} act={act} />}
      {methods.includes('passkey') && <PasskeyWay act={act} id={interaction.id} />}
      {methods.includes('link') && <ByLink interaction={interaction} load={load} />}
    </>
  )
}

const ByPassword = ({ interaction: { account }, act }: StepProps) => {
  const { t } = useTranslation()
  const form = useForm(({ email = '', password = '' }) => act('password', { email, password }))
  return (
    <Form {...form} submit={t('hosted.proofLink')}>
      <Field
        name="email"
        type="email"
        label={t('fields.email')}
        autoComplete="username"
        readOnly
        value={account}
      />
      <PasswordField
        name="password"
        label={t('fields.password')}
        autoComplete="current-password"
        required
        fault={form.faults['password']}
      />
    </Form>
  )
}

/** The link is opened in another tab of this browser; this page notices. */
const ByLink = ({ interaction: { id, account }, load }: Omit<ProofProps, 'act'>) => {
  const { t } = useTranslation()
  const [isSent, setSent] = useState(false)
  const sending = useAct(async () => {
    // Not an act: it would draw the step anew.
    await send('POST', `/oauth2/interactions/${id}/proof`, {})
    setSent(true)
  })
  useEffect(() => {
    if (!isSent) return undefined
    const look = (): void => {
      if (document.visibilityState === 'visible') void load()
    }
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isSent, load])
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
