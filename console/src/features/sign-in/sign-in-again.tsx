import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ApiError, SecondStep as Step } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { goOn } from '../../session/ended.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { ByProvider } from './by-provider.tsx'
import { EntryForm } from './entry-form.tsx'
import { SecondStep } from './second-step.tsx'

/** Another tab may have signed the same person in. The storage tells of it. */
const useOtherTabs = (onSignedIn: () => Promise<void>): void => {
  const { user } = useMe()
  useEffect(() => {
    const look = async (): Promise<void> => {
      if ((await client.auth.session())?.userId === user.id) await onSignedIn()
    }
    const onStorage = (): void => void look()
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  })
}

/** Over the page whose session has ended: what is typed there stays, and the page goes on after the sign-in. */
export const SignInAgain = () => {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [step, setStep] = useState<Step>()
  const [dead, setDead] = useState<ApiError>()
  const { email } = useMe().user
  const finish = async (): Promise<void> => {
    goOn()
    await queries.invalidateQueries()
  }
  const back = (reason?: ApiError): void => {
    setDead(reason)
    setStep(undefined)
  }
  useOtherTabs(finish)
  return (
    <Dialog
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 0.6, blur: 6 }}
      title={t(step ? 'factors.secondStep' : 'signIn.again')}
    >
      <Stack>
        {dead && <ErrorPanel error={dead} />}
        {/* In another tab, so that this page keeps what is typed; it notices the sign-in there. */}
        {!step && <ByProvider email={email} variant="default" target="_blank" />}
        {step ? (
          <SecondStep step={step} onSignedIn={finish} onBack={back} />
        ) : (
          <PasswordForm onSecondStep={setStep} onSignedIn={finish} />
        )}
        <Leave />
      </Stack>
    </Dialog>
  )
}

interface PasswordFormProps {
  onSecondStep: (step: Step) => void
  onSignedIn: () => Promise<void>
}

const PasswordForm = ({ onSecondStep, onSignedIn }: PasswordFormProps) => {
  const { t } = useTranslation()
  const { user, tenant } = useMe()
  const form = useForm({ initialValues: { password: '' } })
  const sending = useSubmit(form, async ({ password }) => {
    const result = await client.auth.login({ email: user.email, password, tenant_id: tenant.id })
    if (result.needsFactor) onSecondStep(result)
    else await onSignedIn()
  })
  return (
    <>
      <Text size="sm">{t('signIn.againText')}</Text>
      <EntryForm {...sending} submit={t('signIn.submit')}>
        <TextInput
          label={t('fields.email')}
          type="email"
          autoComplete="username"
          readOnly
          value={user.email}
        />
        <PasswordField
          label={t('fields.password')}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('password')}
        />
      </EntryForm>
    </>
  )
}

/** For people who sign in otherwise, or are somebody else. */
const Leave = () => {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = async (): Promise<void> => {
    await navigate({ to: '/sign-in', ignoreBlocker: true })
    goOn()
    queries.clear()
  }
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="center"
      underline="always"
      onClick={() => void leave()}
    >
      {t('signIn.discard')}
    </Anchor>
  )
}
