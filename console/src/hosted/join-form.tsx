import type { InvitationFound, JoinedHere } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation, type TextKey } from '../translation.ts'
import { Forgot } from './forgot.tsx'
import { Field, Form, Notice, PasswordField, Way } from './kit.tsx'
import { isReason } from './link-token.ts'
import { useForm } from './use-form.ts'

export type Joined = JoinedHere

/**
 * How the person proves to be the invited one: by the password of a new account, by that of an account, by the sign-in of
 * this browser, or by a new password for an account that nobody has proved to be theirs.
 */
type Proof = 'new' | 'password' | 'session' | 'owner'

interface JoinFormProps {
  found: Pick<InvitationFound, 'email' | 'account_exists' | 'nickname' | 'proof'>
  /** The person who is signed in with this browser; "" for nobody. */
  reader: string
  send: (answer: Record<string, string>) => Promise<void>
  /** Says what each proof asks for. */
  texts: Record<'new' | 'password' | 'session', TextKey>
  submit: string
  /** The first fields. */
  renderFields: (faults: Record<string, string>) => ReactNode
}

const proofOf = ({ found, reader }: JoinFormProps): Proof => {
  if (found.proof === 'new_password') return 'owner'
  if (reader !== '') return 'session'
  return found.account_exists ? 'password' : 'new'
}

/** The part of an address that can be a username; '' where it is too short for one. */
const usernameOf = (email: string): string => {
  const name = (email.split('@')[0] ?? '').replaceAll(/[^A-Za-z0-9._+-]/g, '').slice(0, 64)
  return name.length < 3 ? '' : name
}

const checks = { slug: 'slug', username: 'username', nickname: 'nickname', new_password: 'password' } as const

const useJoinForm = (props: JoinFormProps) => {
  const [proof, setProof] = useState(() => proofOf(props))
  const submit = async (values: Record<string, string>): Promise<void> => {
    const { email: _, ...answer } = values
    await props.send(answer).catch((err: unknown) => {
      if (!isReason(err, 'newPasswordNeeded')) throw err
      setProof('owner')
    })
  }
  return { proof, form: useForm(submit, proof === 'new' ? { ...checks, password: 'password' } : checks) }
}

/** Asks for the name in the tenant, and for a proof. Nothing is sent before the click. */
export const JoinForm = (props: JoinFormProps) => {
  const { t } = useTranslation()
  const { found, texts, submit, renderFields } = props
  const { email } = found
  const { proof, form } = useJoinForm(props)
  const [isForgotten, setForgotten] = useState(false)
  if (isForgotten) return <Forgot account={email} onBack={() => setForgotten(false)} />
  return (
    <>
      {proof === 'owner' ? (
        <Notice kind="warning">{t('joining.owner')}</Notice>
      ) : (
        <p className="dimmed">{t(texts[proof])}</p>
      )}
      <Form {...form} submit={submit}>
        {renderFields(form.faults)}
        <Field
          name="email"
          type="email"
          label={t('fields.email')}
          autoComplete="username"
          readOnly
          value={email}
        />
        <Field
          name="username"
          label={t('fields.username')}
          hint={t('fields.usernameHint')}
          autoComplete="off"
          autoFocus
          required
          defaultValue={usernameOf(email)}
          fault={form.faults['username']}
        />
        <ProofFields {...{ proof, found }} faults={form.faults} />
      </Form>
      {proof === 'password' && (
        <p className="center">
          <Way onClick={() => setForgotten(true)}>{t('signIn.forgot')}</Way>
        </p>
      )}
    </>
  )
}

interface ProofFieldsProps extends Pick<JoinFormProps, 'found'> {
  proof: Proof
  faults: Record<string, string>
}

const ProofFields = ({ proof, found, faults }: ProofFieldsProps) => {
  const { t } = useTranslation()
  const fresh = { hint: t('fields.passwordHint'), autoComplete: 'new-password' }
  return (
    <>
      {proof === 'new' && (
        <Field
          name="nickname"
          label={t('fields.nickname')}
          autoComplete="name"
          autoCapitalize="words"
          defaultValue={found.nickname ?? ''}
          fault={faults['nickname']}
        />
      )}
      {(proof === 'new' || proof === 'password') && (
        <PasswordField
          name="password"
          label={t('fields.password')}
          {...(proof === 'new' ? fresh : { autoComplete: 'current-password' })}
          required
          fault={faults['password']}
        />
      )}
      {proof === 'owner' && (
        <PasswordField
          name="new_password"
          label={t('recovery.newPassword')}
          {...fresh}
          required
          fault={faults['new_password']}
        />
      )}
    </>
  )
}
