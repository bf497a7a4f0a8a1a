import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { usePasswordHint } from '../../components/password-hint.ts'
import { PasswordField } from '../kit.tsx'
import { useAccount } from './account.ts'
import { DialogButton, ProofForm, Section } from './parts.tsx'

export const Password = () => {
  const { t } = useTranslation()
  return (
    <Section title={t('fields.password')}>
      <DialogButton label={t('ownAccount.changePassword')}>
        {(close) => <ChangePassword onChanged={close} />}
      </DialogButton>
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
