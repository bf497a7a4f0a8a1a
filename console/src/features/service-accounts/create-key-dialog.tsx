import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { useLeaveQuestion } from '../../components/leave-question.tsx'
import { CreateKeyForm, useCreateKey } from './create-key-form.tsx'
import { KeySecret } from './key-secret.tsx'

interface CreateKeyProps {
  accountId: number
  onClose: () => void
}

/**
 * Asks for a new key, then shows its secret this once. The secret is in the state of this component alone: not in the
 * address, the history, a cache or a storage. It vanishes with the window.
 */
export const CreateKeyDialog = ({ accountId, onClose }: CreateKeyProps) => {
  const { t } = useTranslation()
  const creating = useCreateKey(accountId)
  const { form, created, isSending } = creating
  const [isCopied, setCopied] = useState(false)
  const isHeld = created ? !isCopied : form.isDirty()
  const { ask, element } = useLeaveQuestion({
    isHeld,
    isWindow: true,
    title: t(created ? 'serviceAccounts.uncopiedTitle' : 'common.leaveTitle'),
    confirm: t(created ? 'serviceAccounts.closeUncopied' : 'common.leave'),
    children: t(created ? 'serviceAccounts.uncopiedText' : 'common.leaveText'),
  })
  const close = async (): Promise<void> => {
    if (!isHeld || (await ask())) onClose()
  }
  return (
    <>
      <Dialog
        opened
        onClose={() => void close()}
        title={
          created ? t('serviceAccounts.keyCreated', { name: created.name }) : t('serviceAccounts.createKey')
        }
        closeOnClickOutside={false}
        isPending={isSending}
      >
        {created ? (
          <KeySecret secret={created.secret} onCopied={() => setCopied(true)} onClose={() => void close()} />
        ) : (
          <CreateKeyForm creating={creating} onClose={onClose} />
        )}
      </Dialog>
      {element}
    </>
  )
}
