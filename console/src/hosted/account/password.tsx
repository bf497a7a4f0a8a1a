import { useState } from 'react'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { usePasswordHint } from '../../components/password-hint.ts'
import { Button, Failure, Notice, PasswordField } from '../kit.tsx'
import { useAct } from '../use-form.ts'
import { useAccount } from './account.ts'
import { DialogButton, ProofForm, Section } from './parts.tsx'

export const Password = () => {
  const { t } = useTranslation()
  const { hasPassword } = useAccount()
  return (
    <Section title={t('fields.password')} {...(!hasPassword && { hint: t('ownAccount.noPassword') })}>
      {hasPassword ? (
        <div className="actions">
          <DialogButton label={t('ownAccount.changePassword')}>
            {(close) => <ChangePassword onChanged={close} />}
          </DialogButton>
          <DialogButton label={t('ownAccount.removePassword')}>
            {(close) => <RemovePassword onRemoved={close} />}
          </DialogButton>
        </div>
      ) : (
        <SetPassword />
      )}
    </Section>
  )
}

const ChangePassword = ({ onChanged }: { onChanged: () => void }) => {
  const { t } = useTranslation()
  const { options, say } = useAccount()
  const hint = usePasswordHint()(options.passwords)
  return (
    <>
      <p>{t('profile.changePasswordText')}</p>
      <ProofForm
        submit={t('ownAccount.changePassword')}
        isProofFirst
        checks={{ new_password: 'password' }}
        send={async ({ new_password = '' }, { password: old_password = '' }) => {
          await client.auth.changePassword({ old_password, new_password })
          onChanged()
          say(t('profile.passwordChanged'))
        }}
      >
        <PasswordField
          name="new_password"
          label={t('profile.newPassword')}
          hint={hint}
          autoComplete="new-password"
          required
        />
      </ProofForm>
    </>
  )
}

const RemovePassword = ({ onRemoved }: { onRemoved: () => void }) => {
  const { t } = useTranslation()
  const { renew, say } = useAccount()
  return (
    <>
      <p>{t('ownAccount.removePasswordText')}</p>
      <ProofForm
        submit={t('ownAccount.removePassword')}
        isDangerous
        send={async (_, proof) => {
          await client.auth.removePassword(proof)
          onRemoved()
          say(t('ownAccount.passwordRemoved'))
          renew()
        }}
      />
    </>
  )
}

/** The link for a forgotten password gives one to an account without a password. */
const SetPassword = () => {
  const { t } = useTranslation()
  const { user, options } = useAccount()
  const [isSent, setSent] = useState(false)
  const sending = useAct(async () => {
    await client.auth.forgotPassword({ email: user.email })
    setSent(true)
  })
  if (!options.password_reset) return null
  return (
    <>
      <Failure error={sending.error} />
      <div role="status">
        {isSent && <Notice kind="good">{t('recovery.sentText', { email: user.email })}</Notice>}
      </div>
      <Button isSending={sending.isSending} onClick={sending.run}>
        {t('ownAccount.setPassword')}
      </Button>
    </>
  )
}
