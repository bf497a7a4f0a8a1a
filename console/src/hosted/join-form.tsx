import type { InvitationFound, JoinedHere } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation, type TextKey } from '../translation.ts'
import { Forgot } from './forgot.tsx'
import { EmailField, Field, Form, LinkButton, Notice, PasswordField } from './kit.tsx'
import { interactionOfLink } from './providers.tsx'
import { isReason } from './send.ts'
import { useForm, useNewPasswordHint } from './use-form.ts'

export type Joined = JoinedHere

/**
 * The proof that the person is the invited one (docs/contract.md, "E-mail"). A new account has a password, or a provider
 * brought its person (`brought`). Another account proves its password or this browser's session. An account without an
 * owner gets a new password.
 */
type Proof = 'new' | 'password' | 'session' | 'owner' | 'brought'

interface JoinFormProps {
  found: Pick<InvitationFound, 'email' | 'account_exists' | 'nickname' | 'proof'> &
    Partial<Pick<InvitationFound, 'tenant'>>
  /** The e-mail of the signed-in account, or "". */
  reader: string
  send: (answer: Record<string, string>) => Promise<void>
  /** The instructions of each proof. */
  texts: Record<'new' | 'password' | 'session', TextKey>
  submit: string
  /** The fields that come first. */
  fields: ReactNode
}

const proofOf = ({ found, reader }: JoinFormProps): Proof => {
  if (found.proof === 'new_password') return 'owner'
  if (reader !== '') return 'session'
  if (!found.account_exists && interactionOfLink() !== undefined) return 'brought'
  return found.account_exists ? 'password' : 'new'
}

/** The part of an address that can be a username; '' if it is too short. */
const usernameOf = (email: string): string => {
  const name = (email.split('@')[0] ?? '').replaceAll(/[^A-Za-z0-9._+-]/g, '').slice(0, 64)
  return name.length < 3 ? '' : name
}

const checks = { slug: 'slug', username: 'username', nickname: 'nickname', new_password: 'password' } as const

const useJoinForm = (props: JoinFormProps) => {
  const [proof, setProof] = useState(() => proofOf(props))
  const submit = async (values: Record<string, string>): Promise<void> => {
    const { email: _, ...answer } = values
    const interaction = proof === 'brought' ? interactionOfLink() : undefined
    await props
      .send(interaction === undefined ? answer : { ...answer, interaction })
      .catch((err: unknown) => {
        if (!isReason(err, 'newPasswordNeeded')) throw err
        setProof('owner')
      })
  }
  return { proof, form: useForm(submit, proof === 'new' ? { ...checks, password: 'password' } : checks) }
}

/** Asks for the username in the tenant, and for the proof. */
export const JoinForm = (props: JoinFormProps) => {
  const { t } = useTranslation()
  const { found, texts, submit, fields } = props
  const { email } = found
  const { proof, form } = useJoinForm(props)
  const [isForgotten, setForgotten] = useState(false)
  if (isForgotten) return <Forgot account={email} onBack={() => setForgotten(false)} />
  return (
    <>
      {proof === 'owner' ? (
        <Notice kind="warning">{t('joining.owner')}</Notice>
      ) : (
        <p className="dimmed">{t(proof === 'brought' ? 'joining.brought' : texts[proof])}</p>
      )}
      <Form {...form} submit={submit}>
        {fields}
        <EmailField autoComplete="username" readOnly value={email} />
        <Field
          name="username"
          label={t('fields.username')}
          hint={t('fields.usernameHint')}
          autoComplete="off"
          autoFocus
          required
          defaultValue={usernameOf(email)}
        />
        <ProofFields {...{ proof, found }} />
      </Form>
      {proof === 'password' && (
        <p className="center">
          <LinkButton onClick={() => setForgotten(true)}>{t('signIn.forgot')}</LinkButton>
        </p>
      )}
    </>
  )
}

/** Whether the person has no account yet. */
const isNew = (proof: Proof): boolean => proof === 'new' || proof === 'brought'

interface ProofFieldsProps extends Pick<JoinFormProps, 'found'> {
  proof: Proof
}

const ProofFields = ({ proof, found }: ProofFieldsProps) => {
  const { t } = useTranslation()
  const fresh = { hint: useNewPasswordHint(found.tenant?.id), autoComplete: 'new-password' }
  return (
    <>
      {isNew(proof) && (
        <Field
          name="nickname"
          label={t('fields.nickname')}
          autoComplete="name"
          autoCapitalize="words"
          defaultValue={found.nickname ?? ''}
        />
      )}
      {(proof === 'new' || proof === 'password') && (
        <PasswordField
          name="password"
          label={t('fields.password')}
          {...(proof === 'new' ? fresh : { autoComplete: 'current-password' })}
          required
        />
      )}
      {proof === 'owner' && (
        <PasswordField name="new_password" label={t('recovery.newPassword')} {...fresh} required />
      )}
    </>
  )
}
