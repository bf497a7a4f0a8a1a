import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError, type SecondStep as Step, type SignUpFound } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { DeadLink } from './dead-link.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { EntryMessage } from './entry-message.tsx'
import { HomeButton, type Home } from './home-of-link.tsx'
import { JoinForm, type JoinLink } from './join-form.tsx'
import { isOfAnother, Joining, OtherSession, useEnter } from './joining.tsx'
import { dropToken } from './link-token.ts'

const route = getRouteApi('/sign-up')

const AskForm = ({ onSent }: { onSent: (email: string) => void }) => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { organization: '', email: '' },
    validate: { organization: check('organization'), email: check('email') },
  })
  const sending = useSubmit(form, async ({ organization, email }) => {
    await client.auth.signUp({ organization: organization.trim(), email: email.trim() })
    onSent(email.trim())
  })
  return (
    <>
      <Text c="dimmed">{t('signUp.text')}</Text>
      <EntryForm {...sending} submit={t('signUp.ask')}>
        <TextInput
          label={t('signUp.name')}
          autoComplete="organization"
          required
          autoFocus
          key={form.key('organization')}
          {...form.getInputProps('organization')}
        />
        <TextInput
          label={t('fields.email')}
          type="email"
          autoComplete="email"
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
      </EntryForm>
    </>
  )
}

const Asked = ({ email, onAgain }: { email: string; onAgain: () => void }) => {
  const { t } = useTranslation()
  const { isMailInFiles } = route.useRouteContext()
  return (
    <>
      <EntryMessage color="teal" title={t('signUp.sent')}>
        {t('signUp.sentText', { email })}
      </EntryMessage>
      <Text size="sm" c="dimmed">
        {t(isMailInFiles ? 'signUp.inFile' : 'signUp.nothing')}
      </Text>
      <Button variant="default" onClick={onAgain}>
        {t('signUp.again')}
      </Button>
    </>
  )
}

const Ask = () => {
  const { t } = useTranslation()
  const { isOpen } = route.useRouteContext()
  const [email, setEmail] = useState<string>()
  return (
    <>
      {!isOpen ? (
        <EntryMessage color="yellow">{t('errors.signUpClosed')}</EntryMessage>
      ) : email === undefined ? (
        <AskForm onSent={setEmail} />
      ) : (
        <Asked email={email} onAgain={() => setEmail(undefined)} />
      )}
      <TextLink to="/sign-in" size="sm" ta="center" underline="always">
        {t('recovery.toSignIn')}
      </TextLink>
    </>
  )
}

const DeadSignUp = () => {
  const { t } = useTranslation()
  dropToken('/sign-up')
  return (
    <DeadLink to="/sign-up" way={t('signUp.newLink')}>
      {t('signUp.dead')}
    </DeadLink>
  )
}

interface ConfirmProps {
  link: JoinLink<SignUpFound>
  onSecondStep: (step: Step) => void
  onJoined: () => Promise<void>
}

const Confirm = (props: ConfirmProps) => {
  const { t } = useTranslation()
  const [isDead, setDead] = useState(false)
  const { link } = props
  const { found, ownEmail = '' } = link
  if (isDead) return <DeadSignUp />
  if (found.proof === 'none') {
    return <EntryMessage color="yellow">{t('errors.accountUnowned')}</EntryMessage>
  }
  return (
    <>
      <Text className="breakable">{t('signUp.welcome', { organization: found.organization })}</Text>
      {isOfAnother(link) ? (
        <OtherSession
          page="/sign-up"
          text={t('signUp.otherSession', { own: ownEmail, invited: found.email })}
        />
      ) : (
        <ConfirmForm {...props} onDead={() => setDead(true)} />
      )}
    </>
  )
}

const slugFault = (err: unknown): string | undefined => {
  if (!(err instanceof ApiError)) return undefined
  return err.reason === 'slugTaken' ? '' : err.fields?.find(({ field }) => field === 'slug')?.message
}

const ConfirmForm = ({ link, onSecondStep, onJoined, onDead }: ConfirmProps & { onDead: () => void }) => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  const [slug, setSlug] = useState(link.found.slug)
  const [fault, setFault] = useState('')
  return (
    <JoinForm
      {...{ link, onSecondStep, onJoined, onDead }}
      page="/sign-up"
      send={async (answer) => {
        setFault('')
        try {
          return await client.auth.confirmSignUp({ ...answer, slug })
        } catch (err) {
          const said = slugFault(err)
          if (said !== undefined) setFault(said || t('errors.slugTaken'))
          throw err
        }
      }}
      submit={t('signUp.submit')}
      texts={{ new: t('signUp.new'), password: t('signUp.password'), session: t('signUp.session') }}
    >
      <TextInput
        label={t('signUp.slug')}
        description={t('signUp.slugHint')}
        autoComplete="off"
        required
        value={slug}
        error={check('slug')(slug) ?? fault}
        onChange={({ currentTarget }) => setSlug(currentTarget.value)}
      />
    </JoinForm>
  )
}

interface Created {
  organization: string
  home: Home
}

/** The way back to the application, and the one into the console. */
const Finished = ({ organization, home }: Created) => {
  const { t } = useTranslation()
  const enter = useEnter()
  return (
    <>
      <EntryMessage color="teal">{t('signUp.done', { organization })}</EntryMessage>
      <HomeButton home={home} />
      <Button variant="default" onClick={() => void enter()}>
        {t('common.home')}
      </Button>
    </>
  )
}

/** Asks for the mailed link, and is the page that it opens. That one acts on a click: programs open links, too. */
export const SignUpPage = () => {
  const { t } = useTranslation()
  const { link, home, hasToken } = route.useRouteContext()
  const enter = useEnter()
  const [step, setStep] = useState<Step>()
  // The router forgets the link with the token.
  const [created, setCreated] = useState<Created>()
  const title = t('signIn.signUp')
  const onJoined = async (): Promise<void> => {
    if (link && home) setCreated({ organization: link.found.organization, home })
    else await enter()
  }
  if (link && step && !created) {
    const joined = t('signUp.created', { organization: link.found.organization })
    return <Joining {...{ title, step, joined }} onSignedIn={onJoined} />
  }
  return (
    <EntryFrame title={title}>
      <Stack>
        {created ? (
          <Finished {...created} />
        ) : link ? (
          <Confirm key={`${link.token} ${link.ownEmail}`} {...{ link, onJoined }} onSecondStep={setStep} />
        ) : hasToken ? (
          <DeadSignUp />
        ) : (
          <Ask />
        )}
      </Stack>
    </EntryFrame>
  )
}
