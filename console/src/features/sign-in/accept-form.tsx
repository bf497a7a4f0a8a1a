import { Alert, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRouter } from '@tanstack/react-router'
import { ApiError, type InvitationFound, type SecondStep } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldChecks } from '../../components/field-checks.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { EntryForm } from './entry-form.tsx'
import { dropToken, isLinkDead } from './link-token.ts'

/** A link that lives. */
export interface InvitationLink {
  token: string
  invitation: InvitationFound
  /** The address of the session that this browser holds. */
  ownEmail: string | undefined
}

interface AcceptFormProps {
  link: InvitationLink
  onSecondStep: (step: SecondStep) => void
  onAccepted: () => Promise<void>
  onDead: () => void
}

/**
 * How the person proves to be the invited one: by the password of a new account, by that of an account, by a session, or
 * by a new password for an account that nobody has proved to be theirs.
 */
type Way = 'new' | 'password' | 'session' | 'owner'

const wayOf = ({ invitation, ownEmail }: InvitationLink): Way => {
  if (ownEmail !== undefined) return 'session'
  return invitation.account_exists ? 'password' : 'new'
}

/** The fields of each way besides the username. */
const given = {
  new: ['nickname', 'password'],
  password: ['password'],
  session: [],
  owner: ['new_password'],
} as const

const useAcceptForm = ({ link, onSecondStep, onAccepted, onDead }: AcceptFormProps) => {
  const router = useRouter()
  const check = useFieldChecks()
  const [way, setWay] = useState(() => wayOf(link))
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', nickname: '', password: '', new_password: '' },
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
    const filled = given[way].filter((field) => values[field] !== '')
    const answer = Object.fromEntries(filled.map((field) => [field, values[field]]))
    try {
      const result = await client.auth.acceptInvitation({ token: link.token, username, ...answer })
      dropToken('/accept-invitation')
      if (result.needsFactor) onSecondStep(result)
      else await onAccepted()
    } catch (err) {
      await refuse(err)
    }
  })
  return { form, way, ...sending }
}

/** Asks for the name in the tenant, and for a proof. Nothing is sent before the click. */
export const AcceptForm = (props: AcceptFormProps) => {
  const { t } = useTranslation()
  const { form, way, ...sending } = useAcceptForm(props)
  const { email } = props.link.invitation
  return (
    <>
      {way === 'owner' ? (
        <Alert color="yellow" role="status">
          {t('invitations.owner')}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          {t(`invitations.${way}`)}
        </Text>
      )}
      <EntryForm {...sending} submit={t('invitations.submit')}>
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

const ProofFields = ({ form, way }: Pick<ReturnType<typeof useAcceptForm>, 'form' | 'way'>) => {
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
          autoFocus
          key={form.key('new_password')}
          {...form.getInputProps('new_password')}
        />
      )}
    </>
  )
}
