import { Alert, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRouter } from '@tanstack/react-router'
import {
  ApiError,
  type AcceptInvitation,
  type InvitationFound,
  type LoginResult,
  type SecondStep,
} from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { EntryForm } from './entry-form.tsx'
import { dropToken, isLinkDead } from './link-token.ts'

/** A link that lives, and whom it is for. */
export interface JoinLink<Found = Pick<InvitationFound, 'email' | 'account_exists' | 'nickname' | 'proof'>> {
  token: string
  found: Found
  /** The address of the session that this browser holds. */
  ownEmail: string | undefined
}

/** The answer of a person: the name in the tenant, and a proof. */
export type JoinAnswer = Pick<
  AcceptInvitation,
  'token' | 'username' | 'nickname' | 'password' | 'new_password'
>

interface JoinFormProps {
  link: JoinLink
  page: '/accept-invitation' | '/sign-up'
  send: (answer: JoinAnswer) => Promise<LoginResult>
  submit: string
  /** Says what each way asks for. */
  texts: Record<'new' | 'password' | 'session', string>
  /** The first fields. */
  children?: ReactNode
  onSecondStep: (step: SecondStep) => void
  onJoined: () => Promise<void>
  onDead: () => void
}

/**
 * How the person proves to be the invited one: by the password of a new account, by that of an account, by a session, or
 * by a new password for an account that nobody has proved to be theirs.
 */
type Way = 'new' | 'password' | 'session' | 'owner'

const wayOf = ({ found, ownEmail }: JoinLink): Way => {
  if (found.proof === 'new_password') return 'owner'
  if (ownEmail !== undefined) return 'session'
  return found.account_exists ? 'password' : 'new'
}

/** The part of an address that can be a username; '' where it is too short for one. */
const usernameOf = (email: string): string => {
  const name = (email.split('@')[0] ?? '').replaceAll(/[^A-Za-z0-9._+-]/g, '').slice(0, 64)
  return name.length < 3 ? '' : name
}

/** The fields of each way besides the username. */
const given = {
  new: ['nickname', 'password'],
  password: ['password'],
  session: [],
  owner: ['new_password'],
} as const

const useJoinForm = ({ link, page, send, onSecondStep, onJoined, onDead }: JoinFormProps) => {
  const router = useRouter()
  const check = useFieldChecks()
  const [way, setWay] = useState(() => wayOf(link))
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      username: usernameOf(link.found.email),
      nickname: link.found.nickname ?? '',
      password: '',
      new_password: '',
    },
    validate: {
      username: check('username'),
      nickname: check('nickname'),
      ...(way === 'new' && { password: check('password') }),
      ...(way === 'owner' && { new_password: check('password') }),
    },
  })
  const refuse = async (err: unknown): Promise<void> => {
    const reason = err instanceof ApiError ? err.reason : undefined
    if (reason === 'newPasswordNeeded') return setWay('owner')
    // Another person has signed in to this browser meanwhile.
    if (reason === 'invitationOfAnother') return router.invalidate()
    if (!isLinkDead(err)) throw err
    return onDead()
  }
  const sending = useSubmit(form, async ({ username, ...values }) => {
    // An empty nickname is an answer, too: it takes that of the inviter away.
    const filled = given[way].filter((field) => values[field] !== '' || field === 'nickname')
    const answer = Object.fromEntries(filled.map((field) => [field, values[field]]))
    try {
      const result = await send({ token: link.token, username, ...answer })
      dropToken(page)
      if (result.needsFactor) onSecondStep(result)
      else await onJoined()
    } catch (err) {
      await refuse(err)
    }
  })
  return { form, way, ...sending }
}

/** Asks for the name in the tenant, and for a proof. Nothing is sent before the click. */
export const JoinForm = (props: JoinFormProps) => {
  const { t } = useTranslation()
  const { form, way, ...sending } = useJoinForm(props)
  const { link, submit, texts, children } = props
  const { email } = link.found
  return (
    <>
      {way === 'owner' ? (
        <Alert color="yellow" role="status">
          {t('invitations.owner')}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {texts[way]}
        </Text>
      )}
      <EntryForm {...sending} email={email} submit={submit}>
        {children}
        <TextInput label={t('fields.email')} type="email" autoComplete="username" readOnly value={email} />
        <TextInput
          label={t('fields.username')}
          description={t('fields.usernameHint')}
          autoComplete="off"
          required
          autoFocus
          key={form.key('username')}
          {...form.getInputProps('username')}
        />
        <ProofFields form={form} way={way} />
      </EntryForm>
      {way === 'password' && (
        <TextLink to="/forgot-password" size="sm" ta="center" underline="always">
          {t('signIn.forgot')}
        </TextLink>
      )}
    </>
  )
}

const ProofFields = ({ form, way }: Pick<ReturnType<typeof useJoinForm>, 'form' | 'way'>) => {
  const { t } = useTranslation()
  const newPassword = { description: t('fields.passwordHint'), autoComplete: 'new-password', required: true }
  return (
    <>
      {way === 'new' && (
        <TextInput
          label={t('fields.nickname')}
          autoComplete="name"
          key={form.key('nickname')}
          {...form.getInputProps('nickname')}
        />
      )}
      {(way === 'new' || way === 'password') && (
        <PasswordField
          label={t('fields.password')}
          {...(way === 'new' ? newPassword : { autoComplete: 'current-password', required: true })}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
      )}
      {way === 'owner' && (
        <PasswordField
          label={t('recovery.newPassword')}
          {...newPassword}
          key={form.key('new_password')}
          {...form.getInputProps('new_password')}
        />
      )}
    </>
  )
}
