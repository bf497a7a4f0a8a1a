import type { Interaction } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { asksForScopes, Consent } from './consent.tsx'
import { lastDiscovered } from './discover.ts'
import { Done } from './done.tsx'
import { Enrol } from './enrol.tsx'
import { Factor } from './factor.tsx'
import { Forgot } from './forgot.tsx'
import { Frame } from './frame.tsx'
import { findHome } from './home.ts'
import { Identify } from './identify.tsx'
import { Button, Failure, Way } from './kit.tsx'
import { Over } from './over.tsx'
import { Password } from './password.tsx'
import { Proof } from './proof.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Register } from './register.tsx'
import { SignUp } from './sign-up.tsx'
import { Tenant } from './tenant.tsx'
import { useAct } from './use-form.ts'
import { useInteraction, type Act, type Held } from './use-interaction.ts'
import { VerifyEmail } from './verify-email.tsx'

/** A page that the person chose in place of the present step. */
type Choice = 'identify' | 'password' | 'forgot' | 'register' | 'first_admin' | 'sign_up'

type Shown = Interaction['step'] | 'codes' | Choice

/** A sign-in from its first step to the way back to the application. */
export const SignIn = ({ id }: { id: string }) => {
  const held = useInteraction(id)
  const [choice, setChoice] = useState<{ of: number; to: Choice }>()
  const { interaction, isLost, turn, error, codes } = held
  if (isLost) return <Over home={findHome(id)} takesFocus={turn > 1} />
  if (!interaction) return <Waiting error={error} retry={() => void held.load()} />
  const choose = (to: Choice): void => setChoice({ of: turn, to })
  const chosen = choice?.of === turn ? choice.to : undefined
  const step = chosen ?? (codes.length > 0 ? 'codes' : firstOf(interaction))
  return (
    <Step key={`${turn} ${step}`} {...{ interaction, step, held, choose }} isFirst={turn === 1 && !chosen}>
      <Failure error={error} />
      <Contents {...{ interaction, step, held, choose }} isChosen={chosen !== undefined} />
    </Step>
  )
}

/** The application may have asked to begin with the registration, and an empty installation begins with it. */
const firstOf = ({ step, methods: [first] }: Interaction): Interaction['step'] | Choice =>
  step === 'identify' && (first === 'register' || first === 'sign_up' || first === 'first_admin')
    ? first
    : step

const Waiting = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const { t } = useTranslation()
  return (
    <Frame title={t(error === undefined ? 'common.loading' : 'common.notLoaded')} takesFocus={false}>
      <Failure error={error} />
      {error !== undefined && <Button onClick={retry}>{t('common.retry')}</Button>}
    </Frame>
  )
}

interface StepProps {
  interaction: Interaction
  step: Shown
  held: Held
  choose: (to: Choice) => void
}

/** The name by which these pages call an application: nobody has checked the one of a client that registered itself. */
const nameOf = ({ application }: Interaction): string =>
  application.is_registered ? application.redirect_host : application.name

const useTitle = ({ step, interaction, held }: StepProps): string => {
  const { t } = useTranslation()
  const titles: Record<Shown, () => string> = {
    identify: () => t('signIn.title'),
    password: () => t(lastDiscovered(interaction.account)?.found ? 'signIn.title' : 'hosted.password'),
    factor: () => t('factors.secondStep'),
    enrol: () => t('hosted.enrol'),
    codes: () => t('factors.codes'),
    verify_email: () => t('signIn.confirmEmail'),
    proof: () => t('hosted.proof'),
    tenant: () => t('hosted.tenant'),
    consent: () =>
      asksForScopes(interaction)
        ? t('hosted.consent', { name: nameOf(interaction) })
        : t('hosted.continueAs', { name: interaction.account }),
    done: () => t(held.isRefused ? 'hosted.refused' : 'hosted.done'),
    forgot: () => t('signIn.forgot'),
    register: () => t('signIn.register'),
    first_admin: () => t('signIn.first'),
    sign_up: () => t('signIn.signUp'),
  }
  return titles[step]()
}

/** The steps that another account can take: recovery codes would be lost. */
const asSomebody: Shown[] = ['enrol', 'verify_email', 'tenant', 'consent']

/** The steps with an end of their own. */
const withoutCancel: Shown[] = ['done', 'consent', 'codes']

/** The console is this installation: there is nothing else to continue to, or to go back to. */
const isOfConsole = ({ application }: Interaction): boolean => application.redirect_host.startsWith('/')

/** The frame of a step: the application, the person, and the way out. */
const Step = (props: StepProps & { isFirst: boolean; children: ReactNode }) => {
  const { interaction, step, held, choose, isFirst, children } = props
  const { t } = useTranslation()
  const { branding, account } = interaction
  const asks = step === 'consent' && asksForScopes(interaction)
  return (
    <Frame title={useTitle(props)} branding={branding} takesFocus={!isFirst}>
      {step !== 'done' && !asks && <Target interaction={interaction} />}
      {asSomebody.includes(step) && (
        <p className="account">
          {(asks || step !== 'consent') && (
            <span className="dimmed">{t('hosted.signedInAs', { name: account })} </span>
          )}
          <Way onClick={() => choose('identify')}>{t('hosted.otherAccount')}</Way>
        </p>
      )}
      {children}
      {!withoutCancel.includes(step) && <Cancel interaction={interaction} act={held.act} />}
    </Frame>
  )
}

/** The application that the person came from. */
const Target = ({ interaction }: { interaction: Interaction }) => {
  const { t } = useTranslation()
  const { logo } = interaction.application
  if (isOfConsole(interaction)) return null
  return (
    <p className="target">
      {logo !== '' && <img src={logo} alt="" />}
      <span>{t('hosted.target', { name: nameOf(interaction) })}</span>
    </p>
  )
}

const Cancel = ({ interaction, act }: { interaction: Interaction; act: Act }) => {
  const { t } = useTranslation()
  const { error, run } = useAct(() => act('cancel'))
  if (isOfConsole(interaction)) return null
  return (
    <>
      <Failure error={error} />
      <p className="center">
        <Way onClick={run}>{t('hosted.cancel')}</Way>
      </p>
    </>
  )
}

const Contents = ({ interaction, step, held, choose, isChosen }: StepProps & { isChosen: boolean }) => {
  const { act, load, codes, keepCodes, isRefused } = held
  const props = { interaction, act }
  const contents: Record<Shown, () => ReactNode> = {
    identify: () => (
      <Identify
        {...props}
        isAnew={isChosen}
        onRegister={() => choose('register')}
        onSignUp={() => choose('sign_up')}
      />
    ),
    password: () => (
      <Password {...props} onOther={() => choose('identify')} onForgot={() => choose('forgot')} />
    ),
    forgot: () => (
      <Forgot account={interaction.account} interaction={interaction.id} onBack={() => choose('password')} />
    ),
    factor: () => <Factor {...props} />,
    enrol: () => <Enrol {...props} />,
    codes: () => <RecoveryCodes codes={codes} account={interaction.account} onKept={keepCodes} />,
    verify_email: () => <VerifyEmail {...props} load={load} />,
    proof: () => <Proof {...props} load={load} />,
    tenant: () => <Tenant {...props} />,
    consent: () => <Consent {...props} />,
    done: () => <Done interaction={interaction} isRefused={isRefused} />,
    register: () => <Register {...props} onBack={() => choose('identify')} />,
    first_admin: () => <Register {...props} />,
    sign_up: () => <SignUp {...{ interaction, load }} onBack={() => choose('identify')} />,
  }
  return contents[step]()
}
