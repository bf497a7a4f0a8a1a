/** The pages of mailed links by which a person joins a tenant: an invitation, and the sign-up of an organization. */
import type { InvitationFound, SecondStep, SignUpFound } from '@tenantry/client'
import { useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation, type TextKey } from '../translation.ts'
import {
  ApplicationLink,
  DeadLink,
  dropToken,
  findApplication,
  isLinkDead,
  takeToken,
  type LinkApplication,
  type LinkPage,
} from './link.tsx'
import { Factor } from './factor.tsx'
import { Frame } from './frame.tsx'
import { Button, Failure, Field, Message, Notice } from './kit.tsx'
import { JoinForm, type Joined } from './join-form.tsx'
import { LinkProviders, type LinkKind } from './providers.tsx'
import { isReason, send } from './send.ts'
import { Unproved } from './unproved.tsx'
import { useAct, useRead } from './use-form.ts'

/** The address of the console in the tenant. */
const consoleOf = (tenantId: string): string => `/console/sign-in?tenant=${tenantId}`

/** The content of a valid link, and the account of the person who is signed in in this browser. */
interface Link<Found> {
  found: Found
  home: LinkApplication | undefined
  /** The e-mail of the signed-in account, or "". */
  reader: string
}

interface JoinProps<Found> {
  page: LinkPage
  kind: LinkKind
  /** The endpoints that read the link and that accept it. */
  lookUp: string
  answer: string
  texts: Record<'title' | 'new' | 'password' | 'session' | 'submit', TextKey>
  /** The text that states the purpose of the link. */
  intro: (found: Found) => string
  /** The text for a person who has joined and is signed in. */
  done: (found: Found) => string
  /** The text for a person who has joined and must sign in. */
  joined: (found: Found) => string
  otherSession: (addresses: { own: string; invited: string }) => string
  /** The fields that come first. */
  Fields?: ComponentType<{ found: Found }>
  dead: ReactNode
}

type Invited = Pick<InvitationFound, 'email' | 'account_exists' | 'nickname' | 'proof'> &
  Partial<Pick<InvitationFound, 'tenant'>>

/** Undefined for an invalid link. */
const readLink = async <Found,>(lookUp: string, token: string): Promise<Link<Found> | undefined> => {
  try {
    const [found, home, { account }] = await Promise.all([
      send<Found>('POST', `${lookUp}?include=proof`, { token }),
      findApplication(token),
      send<{ account: string }>('GET', '/oauth2/links/reader').catch(() => ({ account: '' })),
    ])
    return { found, home, reader: account }
  } catch (err) {
    if (isLinkDead(err)) return undefined
    throw err
  }
}

const Join = <Found extends Invited>(props: JoinProps<Found>) => {
  const { t } = useTranslation()
  const { page, texts, lookUp } = props
  const [token] = useState(() => takeToken(page))
  const { data, error, retry } = useRead(async () => ({
    link: token === undefined ? undefined : await readLink<Found>(lookUp, token),
  }))
  const [step, setStep] = useState<SecondStep>()
  const title = t(step ? 'factors.secondStep' : texts.title)
  return (
    <Frame key={title} title={title} takesFocus={step !== undefined}>
      {data ? (
        <JoinSteps {...props} token={token ?? ''} link={data.link} step={step} onSecondStep={setStep} />
      ) : (
        <Waiting error={error} retry={retry} />
      )}
    </Frame>
  )
}

interface JoinStepsProps<Found> extends JoinProps<Found> {
  token: string
  link: Link<Found> | undefined
  step: SecondStep | undefined
  onSecondStep: (step: SecondStep) => void
}

const JoinSteps = <Found extends Invited>({ link, step, ...props }: JoinStepsProps<Found>) => {
  const [isDead, setDead] = useState(false)
  if (!link || isDead) return props.dead
  if (step) return <SecondFactor {...{ step, link }} joined={props.joined(link.found)} />
  return <LiveLink {...props} link={link} onDead={() => setDead(true)} />
}

const Waiting = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const { t } = useTranslation()
  return (
    <>
      <Failure error={error} />
      {error === undefined ? (
        <p className="dimmed">{t('common.loading')}</p>
      ) : (
        <Button onClick={retry}>{t('common.retry')}</Button>
      )}
    </>
  )
}

interface LiveLinkProps<Found> extends JoinProps<Found> {
  token: string
  link: Link<Found>
  onDead: () => void
  onSecondStep: (step: SecondStep) => void
}

const LiveLink = <Found extends Invited>(props: LiveLinkProps<Found>) => {
  const { t } = useTranslation()
  const [tenantId, setTenantId] = useState<string>()
  const { page, kind, answer, token, link, texts, intro, done, otherSession, Fields } = props
  const { found, home, reader } = link
  if (found.proof === 'none') return <Unproved email={found.email} />
  if (tenantId !== undefined) return <JoinDone {...{ tenantId, home }} text={done(found)} />
  const isOfAnother = reader !== '' && reader.toLowerCase() !== found.email.toLowerCase()
  if (isOfAnother) return <OtherSession text={otherSession({ own: reader, invited: found.email })} />
  const enter = ({ tenant_id: id, second_step: step }: Joined): void => {
    dropToken(page)
    if (step) return props.onSecondStep(step)
    if (home) return setTenantId(id ?? '')
    location.assign(consoleOf(id ?? ''))
  }
  return (
    <>
      <p>{intro(found)}</p>
      <JoinForm
        {...{ found, reader }}
        send={async (fields) => {
          try {
            enter(await send<Joined>('POST', answer, { token, ...fields }))
          } catch (err) {
            // Another person has signed in in this browser meanwhile.
            if (isReason(err, 'invitationOfAnother')) location.reload()
            if (!isLinkDead(err)) throw err
            props.onDead()
          }
        }}
        texts={texts}
        submit={t(texts.submit)}
        fields={Fields && <Fields found={found} />}
      />
      <LinkProviders {...{ kind, token, reader, found }} />
    </>
  )
}

const JoinDone = ({
  tenantId,
  home,
  text,
}: {
  tenantId: string
  home: LinkApplication | undefined
  text: string
}) => {
  const { t } = useTranslation()
  return (
    <>
      <Message kind="good">{text}</Message>
      <ApplicationLink home={home} console={t('common.home')} />
      <a href={consoleOf(tenantId)} className="button">
        {t('common.home')}
      </a>
    </>
  )
}

/** The link stays valid, and this tab keeps its token. */
const OtherSession = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const { isSending, error, run } = useAct(async () => {
    await send('POST', '/oauth2/logout/confirm', {})
    location.reload()
  })
  return (
    <>
      <Notice kind="warning">{text}</Notice>
      <Failure error={error} />
      <Button className="primary" isSending={isSending} onClick={run}>
        {t('joining.signOutAndGoOn')}
      </Button>
      <a href="/console/" className="button">
        {t('joining.staySignedIn')}
      </a>
    </>
  )
}

interface SecondFactorProps {
  step: SecondStep
  link: Link<Invited>
  joined: string
}

/** Asks for the second factor of a person who now belongs to the tenant. The link is used up. */
const SecondFactor = ({ step, link, joined }: SecondFactorProps) => {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const { methods, challenge, passkey_options } = step
  if (isOver) {
    return (
      <>
        <Message kind="good">{joined}</Message>
        <a href="/console/" className="button primary">
          {t('signIn.title')}
        </a>
      </>
    )
  }
  return (
    <Factor
      interaction={{ methods, account: link.found.email, passkey_options }}
      act={async (name, body) => {
        if (name !== 'factor') return setOver(true)
        try {
          const { tenant_id: id } = await send<Joined>('POST', '/oauth2/links/factor', { challenge, ...body })
          location.assign(consoleOf(id ?? ''))
        } catch (err) {
          if (!isReason(err, 'challengeDead')) throw err
          setOver(true)
        }
      }}
    />
  )
}

export const AcceptInvitation = () => {
  const { t } = useTranslation()
  return (
    <Join<InvitationFound>
      page="/sign-in/accept-invitation"
      kind="invitation"
      lookUp="/api/v1/auth/invitations/lookup"
      answer="/oauth2/links/invitation"
      texts={{
        title: 'signIn.accept',
        new: 'joining.new',
        password: 'joining.password',
        session: 'joining.session',
        submit: 'joining.submit',
      }}
      intro={({ tenant }) => t('joining.invites', { tenant: tenant.name })}
      done={({ tenant }) => t('joining.joined', { tenant: tenant.name })}
      joined={({ tenant }) => t('joining.joined', { tenant: tenant.name })}
      otherSession={(addresses) => t('joining.otherSession', addresses)}
      dead={
        <DeadLink text={t('joining.dead')}>
          <a href="/console/" className="button primary">
            {t('signIn.submit')}
          </a>
        </DeadLink>
      }
    />
  )
}

const SlugField = ({ found: { slug } }: { found: Pick<SignUpFound, 'slug'> }) => {
  const { t } = useTranslation()
  return (
    <Field
      name="slug"
      label={t('signUp.slug')}
      hint={t('signUp.slugHint')}
      autoComplete="off"
      required
      defaultValue={slug}
    />
  )
}

export const ConfirmSignUp = () => {
  const { t } = useTranslation()
  return (
    <Join<SignUpFound & { nickname?: string }>
      page="/sign-in/sign-up"
      kind="sign_up"
      lookUp="/api/v1/auth/sign-up/lookup"
      answer="/oauth2/links/sign-up"
      texts={{
        title: 'signIn.signUp',
        new: 'signUp.new',
        password: 'signUp.password',
        session: 'signUp.session',
        submit: 'signUp.submit',
      }}
      intro={({ organization }) => t('signUp.welcome', { organization })}
      done={({ organization }) => t('signUp.done', { organization })}
      joined={({ organization }) => t('signUp.created', { organization })}
      otherSession={(addresses) => t('signUp.otherSession', addresses)}
      Fields={SlugField}
      dead={
        <DeadLink text={t('signUp.dead')}>
          <a href="/console/sign-in?prompt=create" className="button primary">
            {t('signUp.newLink')}
          </a>
        </DeadLink>
      }
    />
  )
}
