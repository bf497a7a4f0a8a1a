import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Approval } from '@tenantry/client'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenew } from '../../components/use-renew.ts'

interface DecideProps {
  approval: Approval
  approve: boolean
  onClose: () => void
}

/** Asks for a comment, and decides about the change as the page showed it. */
export const DecideDialog = ({ approval: { id, digest }, approve, onClose }: DecideProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const renew = useRenew()
  const form = useForm({ initialValues: { comment: '' } })
  const sending = useSubmit(form, async ({ comment }) => {
    try {
      await api.approvals.decide(id, { approve, digest, comment })
    } finally {
      await renew()
    }
    onClose()
    notify(t(approve ? 'approvals.approvedDone' : 'approvals.rejectedDone'))
  })
  return (
    <FieldsDialog
      title={t(approve ? 'approvals.approveTitle' : 'approvals.rejectTitle')}
      submit={t(approve ? 'approvals.approve' : 'approvals.reject')}
      color={approve ? undefined : 'red.9'}
      isReady
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <Text size="sm">{t(approve ? 'approvals.approveText' : 'approvals.rejectText')}</Text>
      <Textarea
        label={t('approvals.comment')}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
        {...form.getInputProps('comment')}
      />
    </FieldsDialog>
  )
}
