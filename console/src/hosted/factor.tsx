import type { Interaction, PasskeyRequestOptions } from '@tenantry/client'
import { useEffect, useState } from 'react'
import {
  askPasskey,
  canListPasskeys,
  canUsePasskeys,
  endPasskeyRequest,
  forgetPasskey,
  listPasskeys,
} from '../session/passkey.ts'
import { useTranslation } from '../translation.ts'
import { Button, Failure, Field, Form, LinkButton } from './kit.tsx'
import { isReason, send } from './send.ts'
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
        autoFocus
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

type Answer = Awaited<ReturnType<typeof askPasskey>>

/** A challenge lives 5 minutes, so the list gets another one before. */
const relistMs = 4 * 60_000

interface PasskeySignInProps extends Pick<StepProps, 'act'> {
  id: string
  /** Whether the address field beside the button lists passkeys as well. */
  isListed?: boolean
}

/** Signs in with a passkey as the only proof. */
export const PasskeySignIn = ({ act, id, isListed = false }: PasskeySignInProps) => {
  const readOptions = async (): Promise<PasskeyRequestOptions | null> =>
    (await send<Interaction>('POST', `/oauth2/interactions/${id}/passkey/options`, {})).passkey_options
  const give = async (options: PasskeyRequestOptions, response: Answer): Promise<void> => {
    try {
      await act('passkey', { response })
    } catch (err) {
      if (isReason(err, 'passkeyUnknown')) await forgetPasskey(options, response.id)
      throw err
    }
  }
  const ask = async (): Promise<void> => {
    const options = await readOptions()
    if (options) await give(options, await askPasskey(options))
  }
  const listing = useAct(async () => {
    // Nobody has asked for the list: the button reports what fails.
    const options = (await canListPasskeys()) ? await readOptions().catch(() => null) : null
    // Without an answer the person signs in another way, or the button has begun another request.
    const answer = options && (await listPasskeys(options).catch(() => undefined))
    if (options && answer) await give(options, answer)
  })
  useEffect(() => {
    if (!isListed) return undefined
    listing.run()
    const timer = setInterval(listing.run, relistMs)
    return () => {
      clearInterval(timer)
      if (canUsePasskeys()) void endPasskeyRequest()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the step is shown
  }, [])
  return (
    <>
      <Failure error={listing.error} />
      <PasskeyButton ask={ask} />
    </>
  )
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
