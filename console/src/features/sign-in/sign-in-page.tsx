import { Alert, Anchor, Stack, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ApiError, SecondStep as Step } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { faultOf } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { discover, startOf, type FoundConnection } from '../../hosted/discover.ts'
import { client } from '../../session/client.ts'
import { askPasskey } from '../../session/passkey.ts'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderFirst } from './provider-first.tsx'
import { keepReturn } from '../../session/provider-return.ts'
import { SecondStep } from './second-step.tsx'

const route = getRouteApi('/sign-in')

const useGoOn = () => {
  const navigate = useNavigate()
  const { next = '/' } = route.useSearch()
  return () => navigate({ to: '/', href: next })
}

/** The provider that an address leads to. It is asked for when the field is left or sent, so that no half address is. */
const useProvider = () => {
  const [asked, setAsked] = useState<{ email: string; found: FoundConnection | undefined }>()
  const [isPassword, setPassword] = useState(false)
  const ask = async (typed: string): Promise<FoundConnection | undefined> => {
    const email = typed.trim()
    if (email === asked?.email || faultOf('email', email) !== undefined) return undefined
    const found = await discover(email)
    setAsked({ email, found })
    setPassword(false)
    return found
  }
  const shown = isPassword ? undefined : asked?.found
  return { ask, email: asked?.email ?? '', shown, choosePassword: () => setPassword(true) }
}

interface EmailFieldProps extends TextInputProps {
  /** Called when the field is left. */
  onAsk: (email: string) => void
}

const EmailField = ({ onAsk, onBlur, ...input }: EmailFieldProps) => {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('fields.email')}
      type="email"
      autoComplete="username"
      required
      autoFocus
      {...input}
      onBlur={(event) => {
        onBlur?.(event)
        onAsk(event.currentTarget.value)
      }}
    />
  )
}

const SignInForm = ({ onSecondStep }: { onSecondStep: (step: Step) => void }) => {
  const { t } = useTranslation()
  const goOn = useGoOn()
  const { next = '/' } = route.useSearch()
  const { ask, email: askedEmail, shown, choosePassword } = useProvider()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } })
  const onLeave = (): void => keepReturn(next)
  const { onSubmit, isSending, error } = useSubmit(form, async ({ email, password }) => {
    if (shown && email.trim() === askedEmail) {
      onLeave()
      location.assign(startOf({ found: shown, email: askedEmail }))
      return
    }
    if (password === '' && (await ask(email))) return
    const result = await client.auth.login({ email: email.trim(), password })
    if (result.needsFactor) onSecondStep(result)
    else await goOn()
  })
  return (
    <EntryForm
      {...{ onSubmit, isSending, error, onLeave }}
      email={form.getValues().email.trim()}
      submit={t('signIn.submit')}
      instead={
        shown && (
          <ProviderFirst found={shown} email={askedEmail} onLeave={onLeave} onPassword={choosePassword} />
        )
      }
      head={
        <EmailField
          key={form.key('email')}
          {...form.getInputProps('email')}
          onAsk={(email) => void ask(email)}
        />
      }
    >
      <PasswordField
        label={t('fields.password')}
        autoComplete="current-password"
        required
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </EntryForm>
  )
}

export const SignInPage = () => {
  const { t } = useTranslation()
  const goOn = useGoOn()
  const [step, setStep] = useState<Step>()
  const [dead, setDead] = useState<ApiError>()
  const back = (reason?: ApiError): void => {
    setDead(reason)
    setStep(undefined)
  }
  return (
    <EntryFrame title={t(step ? 'factors.secondStep' : 'signIn.title')}>
      {step ? (
        <SecondStep step={step} onSignedIn={goOn} onBack={back} />
      ) : (
        <FirstStep dead={dead} onSecondStep={setStep} />
      )}
    </EntryFrame>
  )
}

interface FirstStepProps {
  /** The end of a second step that has to begin again. */
  dead: ApiError | undefined
  onSecondStep: (step: Step) => void
}

const FirstStep = ({ dead, onSecondStep }: FirstStepProps) => {
  const { offersReset, offersPasskey, offersSignUp, registration } = route.useRouteContext()
  const { t } = useTranslation()
  const goOn = useGoOn()
  const signInByPasskey = async (): Promise<void> => {
    const response = await askPasskey(await client.auth.beginPasskeyLogin())
    await client.auth.loginWithPasskey({ response })
    await goOn()
  }
  return (
    <Stack>
      {dead ? <ErrorPanel error={dead} /> : <Arrival />}
      <SignInForm onSecondStep={onSecondStep} />
      {offersPasskey && <PasskeyButton signIn={signInByPasskey} />}
      {offersReset && (
        <TextLink to="/forgot-password" size="sm" ta="center" underline="always">
          {t('signIn.forgot')}
        </TextLink>
      )}
      {registration.open && (
        <Text size="sm" ta="center" c="dimmed">
          {t('signIn.noAccount')}{' '}
          <Anchor component={Link} to="/register" underline="always" inherit>
            {t('signIn.register')}
          </Anchor>
        </Text>
      )}
      {offersSignUp && (
        <Text size="sm" ta="center" c="dimmed">
          {t('signIn.noAccount')}{' '}
          <Anchor component={Link} to="/sign-up" underline="always" inherit>
            {t('signIn.signUp')}
          </Anchor>
        </Text>
      )}
    </Stack>
  )
}

/** Says why the page is open. */
const Arrival = () => {
  const { t } = useTranslation()
  const { ended, reset, deleted } = route.useSearch()
  return (
    <>
      {ended && <Alert color="yellow">{t('signIn.ended')}</Alert>}
      {(reset === true || deleted === true) && (
        <Alert color="teal" role="status">
          {t(deleted ? 'signIn.deleted' : 'recovery.resetDone')}
        </Alert>
      )}
    </>
  )
}
