import { useTranslation } from '../../translation.ts'
import { SecretDialog, type SecretTexts } from '../../components/secret-dialog.tsx'
import { CreateKeyForm, useCreateKey } from './create-key-form.tsx'

interface CreateKeyProps {
  accountId: number
  onClose: () => void
}

const useKeyTexts = (name: string): SecretTexts => {
  const { t } = useTranslation()
  return {
    created: t('serviceAccounts.keyCreated', { name }),
    secret: t('serviceAccounts.secret'),
    once: t('serviceAccounts.secretOnce'),
    onceText: t('serviceAccounts.secretOnceText'),
    use: t('serviceAccounts.secretUse'),
    copy: t('serviceAccounts.copySecret'),
    copyFailed: t('serviceAccounts.copyFailed'),
    uncopiedTitle: t('serviceAccounts.uncopiedTitle'),
    uncopiedText: t('serviceAccounts.uncopiedText'),
    closeUncopied: t('serviceAccounts.closeUncopied'),
  }
}

/** Asks for a new key, then shows its secret once. */
export const CreateKeyDialog = ({ accountId, onClose }: CreateKeyProps) => {
  const { t } = useTranslation()
  const creating = useCreateKey(accountId)
  const { form, created, isSending } = creating
  return (
    <SecretDialog
      title={t('serviceAccounts.createKey')}
      secret={created?.secret}
      texts={useKeyTexts(created?.name ?? '')}
      isDirty={form.isDirty()}
      isPending={isSending}
      onClose={onClose}
    >
      <CreateKeyForm creating={creating} onClose={onClose} />
    </SecretDialog>
  )
}
