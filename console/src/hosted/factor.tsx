import type { Interaction } from '@tenantry/client'
import { useState } from 'react'
import { askPasskey, canUsePasskeys } from '../session/passkey.ts'
import { useTranslation } from '../translation.ts'
import { Button, Failure, Field, Form, LinkButton } from './kit.tsx'
import { send } from './send.ts'
import { useAct, useForm } from './use-form.ts'
import type { StepProps } from './use-interaction.ts'

const CodeForm = ({ act, isRecovery }: Pick<StepProps, 'act'> & { isRecovery: boolean }) => {
  const { t } = useTranslation()
  const field = isRecovery ? 'recovery_code' : 'code'
  const form = useForm(({ code = '' }) => act('factor', { [field]: code.replaceAll(/\s/g, '') }))
  return (
    <Form {...form} submit={t('signIn.submit')}>
      <Field
        name="code"
        label={t(isRecovery ? 'factors.recoveryCode' : 'factors.code')}
        {...(!isRecovery && { hint: t('factors.codeHint'), inputMode: 'numeric' })}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        required
      />
    </Form>
  )
}

interface FactorProps extends Pick<StepProps, 'act'> {
  interaction: Pick<Interaction, 'methods' | 'account' | 'passkey_options'>
}

export const Factor = ({ interaction, act }: FactorProps) => {
  const { t } = useTranslation()
  const [isRecovery, setRecovery] = useState(false)
  const { methods, account } = interaction
  const hasApp = methods.includes('totp')
  return (
    <>
      <p className="dimmed">{t('factors.secondStepText')}</p>
      {isRecovery && <CodeForm key="recovery" act={act} isRecovery />}
      {!isRecovery && hasApp && <CodeForm key="app" act={act} isRecovery={false} />}
      {!isRecovery && <PasskeyFactor interaction={interaction} act={act} isFirst={!hasApp} />}
      <p className="link-buttons">
        {methods.includes('recovery_code') && (
          <LinkButton onClick={() => setRecovery(!isRecovery)}>
            {t(isRecovery ? 'factors.useOther' : 'factors.useRecovery')}
          </LinkButton>
        )}
        <LinkButton onClick={() => void act('identify', { email: account })}>{t('factors.again')}</LinkButton>
      </p>
    </>
  )
}

const PasskeyButton = ({ ask, className = '' }: { ask: () => Promise<void>; className?: string }) => {
  const { t } = useTranslation()
  const { isSending, error, run } = useAct(ask)
  if (!canUsePasskeys()) return null
  return (
    <>
      <Failure error={error} />
      <Button className={className} isSending={isSending} onClick={run}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="8" cy="12" r="4" />
          <path d="M12 12h9v4M17 12v3" />
        </svg>
        {t('factors.passkeyUse')}
      </Button>
    </>
  )
}

/** Signs in with a passkey as the only proof. */
export const PasskeySignIn = ({ act, id }: Pick<StepProps, 'act'> & { id: string }) => {
  const ask = async (): Promise<void> => {
    const path = `/oauth2/interactions/${id}/passkey/options`
    const { passkey_options: options } = await send<Interaction>('POST', path, {})
    if (options) await act('passkey', { response: await askPasskey(options) })
  }
  return <PasskeyButton ask={ask} />
}

interface PasskeyFactorProps extends Pick<StepProps, 'act'> {
  interaction: Pick<Interaction, 'passkey_options'>
  isFirst: boolean
}

/** A passkey as the second factor. */
const PasskeyFactor = ({ interaction, act, isFirst }: PasskeyFactorProps) => {
  const { passkey_options: options } = interaction
  if (!options) return null
  const ask = async (): Promise<void> => act('factor', { passkey: await askPasskey(options) })
  return <PasskeyButton ask={ask} className={isFirst ? 'primary' : ''} />
}
