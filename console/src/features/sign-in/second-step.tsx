import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { ApiError, type LoginFactor, type SecondStep as Step } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { askPasskey } from '../../session/passkey.ts'
import { EntryForm } from './entry-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'

type Answer = Omit<LoginFactor, 'challenge'>

interface SecondStepProps {
  step: Step
  onSignedIn: () => Promise<void>
  /** Leads back to the password; with the reason, where the challenge has died. */
  onBack: (dead?: ApiError) => void
}

/** Asks for the second factor, after the right password. */
export const SecondStep = ({ step, onSignedIn, onBack }: SecondStepProps) => {
  const { t } = useTranslation()
  const send = async (answer: Answer): Promise<void> => {
    try {
      await client.auth.loginWithFactor({ challenge: step.challenge, ...answer })
    } catch (err) {
      if (err instanceof ApiError && err.reason === 'challengeDead') return onBack(err)
      throw err
    }
    return onSignedIn()
  }
  const [isRecovery, setRecovery] = useState(false)
  const other = isRecovery ? 'factors.useOther' : 'factors.useRecovery'
  return (
    <Stack>
      <Text size="sm">{t('factors.secondStepText')}</Text>
      {isRecovery ? (
        <CodeForm key="recovery" field="recovery_code" send={send} />
      ) : (
        <FactorForms step={step} send={send} />
      )}
      {step.methods.includes('recovery_code') && (
        <Way onClick={() => setRecovery(!isRecovery)}>{t(other)}</Way>
      )}
      <Way onClick={() => onBack()}>{t('factors.again')}</Way>
    </Stack>
  )
}

interface FormProps {
  send: (answer: Answer) => Promise<void>
}

const FactorForms = ({ step, send }: FormProps & { step: Step }) => {
  const { methods, passkey_options: options } = step
  const hasApp = methods.includes('totp')
  return (
    <>
      {hasApp && <CodeForm key="app" field="code" send={send} />}
      {options && (
        <PasskeyButton
          signIn={async () => send({ passkey: await askPasskey(options) })}
          autoFocus={!hasApp}
        />
      )}
    </>
  )
}

const Way = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Anchor component="button" type="button" size="sm" ta="center" underline="always" onClick={onClick}>
    {children}
  </Anchor>
)

interface CodeFormProps extends FormProps {
  field: 'code' | 'recovery_code'
}

const CodeForm = ({ field, send }: CodeFormProps) => {
  const { t } = useTranslation()
  // The service's refusal names this field, whichever code it is.
  const form = useForm({ initialValues: { code: '' } })
  const sending = useSubmit(form, ({ code }) => send({ [field]: code.replaceAll(/\s/g, '') }))
  const isApp = field === 'code'
  return (
    <EntryForm {...sending} submit={t('signIn.submit')}>
      <TextInput
        label={t(isApp ? 'factors.code' : 'factors.recoveryCode')}
        {...(isApp && { description: t('factors.codeHint'), inputMode: 'numeric' })}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        spellCheck={false}
        required
        autoFocus
        {...form.getInputProps('code')}
      />
    </EntryForm>
  )
}
