/** The pages of mailed links by which a person joins a tenant: an invitation, and the sign-up of an organization. */
import type { InvitationFound, SecondStep, SignUpFound } from '@tenantry/client'
import { useState, type ComponentType, type ReactNode } from 'react'
import { useTranslation, type TextKey } from '../translation.ts'
import { DeadLink } from './dead-link.tsx'
import { Factor } from './factor.tsx'
import { Frame } from './frame.tsx'
import { Button, Failure, Field, Message, Notice } from './kit.tsx'
import { JoinForm, type Joined } from './join-form.tsx'
import { dropToken, isLinkDead, isReason, takeToken, type LinkPage } from './link-token.ts'
import { send } from './send.ts'
import { useAct } from './use-form.ts'
import { useRead } from './use-read.ts'
import { findHome, HomeLink, type Home } from './way-back.tsx'

/** Opens the console in the tenant. */
const consoleOf = (tenantId: string): string => `/console/sign-in?tenant=${tenantId}`

/** A link that lives, and the person who is signed in with this browser. */
interface Link<Found> {
  found: Found
  home: Home | undefined
  /** "" for nobody. */
  reader: string
}

interface JoinProps<Found> {
  page: LinkPage
  /** Where the link is looked up, and where it is answered. */
  lookUp: string
  answer: string
  texts: Record<'title' | 'new' | 'password' | 'session' | 'submit', TextKey>
  /** Says what the link is for. */
  intro: (found: Found) => string
  /** Says that the person has joined, and is signed in. */
  done: (found: Found) => string
  /** Says that the person has joined, and has to sign in. */
  joined: (found: Found) => string
  otherSession: (addresses: { own: string; invited: string }) => string
  /** The first fields. */
  Fields?: ComponentType<{ found: Found; faults: Record<string, string> }>
  dead: ReactNode
}

type Invited = Pick<InvitationFound, 'email' | 'account_exists' | 'nickname' | 'proof'>

/** Undefined for a dead link. */
const readLink = async <Found,>(lookUp: string, token: string): Promise<Link<Found> | undefined> => {
  try {
    const [found, home, { account }] = await Promise.all([
      send<Found>('POST', `${lookUp}?include=proof`, { token }),
      findHome(token),
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
        <Known {...props} token={token ?? ''} link={data.link} step={step} onSecondStep={setStep} />
      ) : (
        <Waiting error={error} retry={retry} />
      )}
    </Frame>
  )
}

interface KnownProps<Found> extends JoinProps<Found> {
  token: string
  link: Link<Found> | undefined
  step: SecondStep | undefined
  onSecondStep: (step: SecondStep) => void
}

const Known = <Found extends Invited>({ link, step, ...props }: KnownProps<Found>) => {
  const [isDead, setDead] = useState(false)
  if (!link || isDead) return props.dead
  if (step) return <Second {...{ step, link }} joined={props.joined(link.found)} />
  return <Living {...props} link={link} onDead={() => setDead(true)} />
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

interface LivingProps<Found> extends JoinProps<Found> {
  token: string
  link: Link<Found>
  onDead: () => void
  onSecondStep: (step: SecondStep) => void
}

const Living = <Found extends Invited>(props: LivingProps<Found>) => {
  const { t } = useTranslation()
  const [tenantId, setTenantId] = useState<string>()
  const { page, answer, token, link, texts, intro, done, otherSession, Fields } = props
  const { found, home, reader } = link
  if (found.proof === 'none') return <Notice kind="warning">{t('errors.accountUnowned')}</Notice>
  if (tenantId !== undefined) return <Created {...{ tenantId, home }} text={done(found)} />
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
        send={async (given) => {
          try {
            enter(await send<Joined>('POST', answer, { token, ...given }))
          } catch (err) {
            // Another person has signed in to this browser meanwhile.
            if (isReason(err, 'invitationOfAnother')) location.reload()
            if (!isLinkDead(err)) throw err
            props.onDead()
          }
        }}
        texts={texts}
        submit={t(texts.submit)}
        renderFields={(faults) => Fields && <Fields {...{ found, faults }} />}
      />
    </>
  )
}

/** The way back to the application, and the one into the console. */
const Created = ({ tenantId, home, text }: { tenantId: string; home: Home | undefined; text: string }) => {
  const { t } = useTranslation()
  return (
    <>
      <Message kind="good">{text}</Message>
      <HomeLink home={home} console={t('common.home')} />
      <a href={consoleOf(tenantId)} className="button">
        {t('common.home')}
      </a>
    </>
  )
}

/** The link stays alive, and its token in this tab. */
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

interface SecondProps {
  step: SecondStep
  link: Link<Invited>
  joined: string
}

/** The second step of a person who belongs to the tenant already; the link is spent. */
const Second = ({ step, link, joined }: SecondProps) => {
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
            {t('common.home')}
          </a>
        </DeadLink>
      }
    />
  )
}

interface SlugFieldProps {
  found: Pick<SignUpFound, 'slug'>
  faults: Record<string, string>
}

const SlugField = ({ found: { slug }, faults }: SlugFieldProps) => {
  const { t } = useTranslation()
  return (
    <Field
      name="slug"
      label={t('signUp.slug')}
      hint={t('signUp.slugHint')}
      autoComplete="off"
      required
      defaultValue={slug}
      fault={faults['slug']}
    />
  )
}

export const ConfirmSignUp = () => {
  const { t } = useTranslation()
  return (
    <Join<SignUpFound & { nickname?: string }>
      page="/sign-in/sign-up"
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
