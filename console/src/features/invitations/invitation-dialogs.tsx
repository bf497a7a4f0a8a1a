import { useMutation } from '@tanstack/react-query'
import type { Invitation } from '@tenantry/client'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { InvitedResult, useCopyQuestion } from './invitation-links.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface InvitationDialogProps {
  invitation: Invitation
  onClose: () => void
}

/** Asks before it sends again, because the earlier link becomes invalid. */
export const ResendInvitation = ({ invitation: { id, email }, onClose }: InvitationDialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const { isCopied, question, onCopy } = useCopyQuestion()
  const sending = useMutation({
    mutationFn: () => api.invitations.resend(id),
    onSuccess: async ({ link }) => {
      if (link === '') {
        onClose()
        notify(t('invitations.sent', { count: 1, email }))
      }
      await renew()
    },
  })
  const title = t('invitations.resendTo', { email })
  const invited = sending.data
  if (invited && invited.link !== '') {
    return (
      <FormDialog
        isDirty={!isCopied}
        question={question}
        onClose={onClose}
        title={title}
        closeOnClickOutside={false}
      >
        {(close) => <InvitedResult invitations={[invited]} onCopy={onCopy} onClose={close} />}
      </FormDialog>
    )
  }
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={title}
      confirm={t('invitations.resend')}
      color="accent"
      {...mutationProps(sending)}
    >
      {t('invitations.resendText')}
    </ConfirmModal>
  )
}

export const RevokeInvitation = ({ invitation: { id, email }, onClose }: InvitationDialogProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmChange
      title={t('invitations.revokeOf', { email })}
      confirm={t('invitations.revoke')}
      send={() => api.invitations.revoke(id)}
      done={t('invitations.isRevoked', { email })}
      onClose={onClose}
    >
      {t('invitations.revokeText')}
    </ConfirmChange>
  )
}
