import type { Interaction } from '@tenantry/client'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { asksForScopes, Consent } from './consent.tsx'
import { lastDiscovered } from './provider.tsx'
import { EmailCode } from './email-code.tsx'
import { Enrol, RecoveryCodes } from './enrol.tsx'
import { Factor } from './factor.tsx'
import { Forgot } from './forgot.tsx'
import { BrandedFrame, Frame } from './frame.tsx'
import { Identify } from './identify.tsx'
import { Button, Failure, LinkButton, Notice } from './kit.tsx'
import { NewPassword } from './new-password.tsx'
import { OfferPasskey } from './offer-passkey.tsx'
import { Password, Proof } from './password.tsx'
import { Register, SignUp } from './register.tsx'
import { Tenant } from './tenant.tsx'
import { useAct } from './use-form.ts'
import {
  findKeptApplication,
  useInteraction,
  type Act,
  type Flow,
  type KeptApplication,
} from './use-interaction.ts'
import { VerifyEmail } from './verify-email.tsx'

/** A form that the person has chosen instead of the present step. */
type Choice = 'identify' | 'password' | 'forgot' | 'register' | 'first_admin' | 'sign_up'

type ShownStep = Interaction['step'] | 'codes' | Choice

/** A sign-in, from its first step to the redirect to the application. */
export const SignIn = ({ id }: { id: string }) => {
  const flow = useInteraction(id)
  const [choice, setChoice] = useState<{ of: number; to: Choice }>()
  const { interaction, isLost, turn, error, codes } = flow
  if (isLost) return <Over home={findKeptApplication(id)} takesFocus={turn > 1} />
  if (!interaction) return <Waiting error={error} retry={() => void flow.load()} />
  const choose = (to: Choice): void => setChoice({ of: turn, to })
  const chosen = choice?.of === turn ? choice.to : undefined
  const step = chosen ?? (codes.length > 0 ? 'codes' : firstOf(interaction))
  return (
    <Step key={`${turn} ${step}`} {...{ interaction, step, flow, choose }} isFirst={turn === 1 && !chosen}>
      <Failure error={error} />
      <Contents {...{ interaction, step, flow, choose }} isChosen={chosen !== undefined} />
    </Step>
  )
}

/** The form shown first: the step's, or a registration if the application or an empty installation requests it. */
const firstOf = ({ step, methods: [first] }: Interaction): Interaction['step'] | Choice =>
  step === 'identify' && (first === 'register' || first === 'sign_up' || first === 'first_admin')
    ? first
    : step

const Waiting = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const { t } = useTranslation()
  return (
    <BrandedFrame title={t(error === undefined ? 'common.loading' : 'common.notLoaded')} takesFocus={false}>
      <Failure error={error} />
      {error !== undefined && <Button onClick={retry}>{t('common.retry')}</Button>}
    </BrandedFrame>
  )
}

interface FlowStepProps {
  interaction: Interaction
  step: ShownStep
  flow: Flow
  choose: (to: Choice) => void
}

/**
 * The name that these pages show. Nobody has checked the name of a client that registered itself, so the pages show its
 * host.
 */
const nameOf = ({ application }: Interaction): string =>
  application.is_registered ? application.redirect_host : application.name

const useTitle = ({ step, interaction, flow }: FlowStepProps): string => {
  const { t } = useTranslation()
  const titles: Record<ShownStep, () => string> = {
    identify: () => t('signIn.title'),
    password: () =>
      t(
        lastDiscovered(interaction.account)?.found || !interaction.methods.includes('password')
          ? 'signIn.title'
          : 'hosted.password',
      ),
    email_code: () => t('hosted.emailCode'),
    factor: () => t('factors.secondStep'),
    enrol: () => t('hosted.enrol'),
    new_password: () => t('hosted.newPassword'),
    offer_passkey: () => t('hosted.offerPasskey'),
    codes: () => t('factors.codes'),
    verify_email: () => t('signIn.confirmEmail'),
    proof: () => t('hosted.proof'),
    tenant: () => t('hosted.tenant'),
    consent: () =>
      asksForScopes(interaction)
        ? t('hosted.consent', { name: nameOf(interaction) })
        : t('hosted.continueAs', { name: interaction.account }),
    done: () => {
      if (interaction.is_unpermitted) return t('hosted.unpermitted', { name: nameOf(interaction) })
      return t(flow.isRefused ? 'hosted.refused' : 'hosted.done')
    },
    forgot: () => t('signIn.forgot'),
    register: () => t('signIn.register'),
    first_admin: () => t('signIn.first'),
    sign_up: () => t('signIn.signUp'),
  }
  return titles[step]()
}

/** The steps that offer another account. `codes` does not, because the person would lose the recovery codes. */
const stepsWithAccount: ShownStep[] = [
  'enrol',
  'new_password',
  'offer_passkey',
  'verify_email',
  'tenant',
  'consent',
]

/** The steps that have an end of their own. */
const withoutCancel: ShownStep[] = ['done', 'consent', 'codes']

/** The console's redirect address has no host, because the console is part of this installation. */
const isOfConsole = ({ application }: Interaction): boolean => application.redirect_host.startsWith('/')

/** The frame of a step, with the application, the account and the button that cancels. */
const Step = (props: FlowStepProps & { isFirst: boolean; children: ReactNode }) => {
  const { interaction, step, flow, choose, isFirst, children } = props
  const { t } = useTranslation()
  const { branding, account } = interaction
  const asks = step === 'consent' && asksForScopes(interaction)
  return (
    <Frame
      title={useTitle(props)}
      branding={branding}
      takesFocus={!isFirst}
      leavesField={step === 'password'}
    >
      {step !== 'done' && !asks && <ApplicationLine interaction={interaction} />}
      {stepsWithAccount.includes(step) && (
        <p className="account">
          {(asks || step !== 'consent') && (
            <span className="dimmed">{t('hosted.signedInAs', { name: account })} </span>
          )}
          <LinkButton onClick={() => choose('identify')}>{t('hosted.otherAccount')}</LinkButton>
        </p>
      )}
      {children}
      {!withoutCancel.includes(step) && <Cancel interaction={interaction} act={flow.act} />}
    </Frame>
  )
}

const ApplicationLine = ({ interaction }: { interaction: Interaction }) => {
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
        <LinkButton onClick={run}>{t('hosted.cancel')}</LinkButton>
      </p>
    </>
  )
}

const Contents = ({ interaction, step, flow, choose, isChosen }: FlowStepProps & { isChosen: boolean }) => {
  const { act, load, codes, keepCodes, isRefused } = flow
  const props = { interaction, act }
  const contents: Record<ShownStep, () => ReactNode> = {
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
    email_code: () => (
      <EmailCode {...props} onOther={() => choose('identify')} onPassword={() => choose('password')} />
    ),
    factor: () => <Factor {...props} />,
    enrol: () => <Enrol {...props} />,
    new_password: () => <NewPassword {...props} />,
    offer_passkey: () => <OfferPasskey {...props} />,
    codes: () => <RecoveryCodes codes={codes} account={interaction.account} onKept={keepCodes} />,
    verify_email: () => <VerifyEmail {...props} load={load} />,
    proof: () => <Proof {...props} load={load} />,
    tenant: () => <Tenant {...props} />,
    consent: () => <Consent {...props} />,
    done: () =>
      interaction.is_unpermitted ? (
        <Unpermitted interaction={interaction} />
      ) : (
        <Done interaction={interaction} isRefused={isRefused} />
      ),
    register: () => <Register {...props} onBack={() => choose('identify')} />,
    first_admin: () => <Register {...props} />,
    sign_up: () => <SignUp {...{ interaction, load }} onBack={() => choose('identify')} />,
  }
  return contents[step]()
}

interface DoneProps {
  interaction: Interaction
  isRefused: boolean
}

/** Redirects to the application. Some browsers ask before they open a program; the link is for them. */
const Done = ({ interaction, isRefused }: DoneProps) => {
  const { t } = useTranslation()
  const { redirect_to: to, application } = interaction
  useEffect(() => {
    if (to !== '') location.replace(to)
  }, [to])
  if (to === '') {
    return (
      <Notice kind={isRefused ? 'warning' : 'good'}>
        {t(isRefused ? 'hosted.deviceRefused' : 'hosted.deviceDone')}
      </Notice>
    )
  }
  return (
    <>
      <p className="dimmed">{t('hosted.going', { name: application.name })}</p>
      <a href={to} className="button">
        {t('hosted.goNow')}
      </a>
    </>
  )
}

/** For a person who lacks the permission that the application requires. The person sends the answer by a click. */
const Unpermitted = ({ interaction }: { interaction: Interaction }) => {
  const { t } = useTranslation()
  const { redirect_to: to, tenants, account } = interaction
  const name = nameOf(interaction)
  return (
    <>
      <p className="dimmed">{t('hosted.signedInAs', { name: account })}</p>
      <Notice kind="warning">{t('hosted.unpermittedText', { name, tenant: tenants[0]?.name ?? '' })}</Notice>
      {to === '' ? (
        <p>{t('hosted.deviceRefused')}</p>
      ) : (
        <a href={to} className="button">
          {t('hosted.toApplication', { name })}
        </a>
      )}
    </>
  )
}

interface OverProps {
  home: KeptApplication | undefined
  takesFocus: boolean
}

/** For a sign-in that is over, or that began in another browser. */
const Over = ({ home, takesFocus }: OverProps) => {
  const { t } = useTranslation()
  return (
    <Frame title={t('hosted.over')} takesFocus={takesFocus}>
      <p>{t('hosted.overText')}</p>
      {home && home.url !== '' && (
        <a href={home.url} className="button primary">
          {t('hosted.toApplication', { name: home.name })}
        </a>
      )}
    </Frame>
  )
}
