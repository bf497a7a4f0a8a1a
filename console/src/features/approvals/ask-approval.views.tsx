import { Checkbox, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import type { ApiError, Approval, Client, RefusedChange } from '@tenantry/client'
import { useState } from 'react'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useOperationNames } from './approval-parts.tsx'
import { useApprovedFor } from './approvals.queries.ts'
import { CarryOutDialog } from './carry-out.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface AskApprovalProps {
  error: ApiError
  onClose: () => void
}

interface Demand {
  operations: string[]
  approvals: number
  break_glass: boolean
}

/** The fewest characters of the reason for an urgent change. */
const urgentReasonMin = 20

/** Asks for approval of a change that was refused. If the caller's request is approved already, offers to use it. */
export const AskApproval = ({ error, onClose }: AskApprovalProps) =>
  error.refused && <AskFor demand={error.data as Demand} refused={error.refused} onClose={onClose} />

interface AskForProps {
  demand: Demand
  refused: RefusedChange
  onClose: () => void
}

const AskFor = ({ demand, refused, onClose }: AskForProps) => {
  const { tenantId, change } = refused
  const api = tenantId === undefined ? client : client.inTenant(tenantId)
  const { approval, isPending } = useApprovedFor(api, refused)
  // Using it up changes the list, and the window can still show a secret.
  const [used, setUsed] = useState<Approval>()
  if (approval && !used) setUsed(approval)
  if (isPending && !used) return null
  if (!used) return <AskForm {...{ api, demand, refused, onClose }} onApproved={setUsed} />
  return <CarryOutDialog api={api} approval={{ ...used, body: change.body ?? null }} onClose={onClose} />
}

interface AskFormProps extends AskForProps {
  api: Client
  onApproved: (approval: Approval) => void
}

const useAsking = ({ api, refused: { change }, onClose, onApproved }: AskFormProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const navigate = useNavigate()
  const renew = useRenew()
  const form = useForm({
    initialValues: { reason: '', break_glass: false },
    validate: {
      reason: (reason, { break_glass: isUrgent }) => {
        if (reason.trim() === '') return t('fieldFaults.missing')
        return isUrgent && reason.trim().length < urgentReasonMin ? t('approvals.reasonShort') : null
      },
    },
  })
  const sending = useSubmit(form, async ({ reason, break_glass: isUrgent }) => {
    const approval = await api.approvals.ask({ ...change, reason, ...(isUrgent && { break_glass: true }) })
    await renew()
    if (approval.status === 'approved') return onApproved(approval)
    onClose()
    notify(t('approvals.askedNotice'), {
      label: t('approvals.show'),
      run: () => void navigate({ to: '/approvals/$approvalId', params: { approvalId: String(approval.id) } }),
    })
  })
  return { form, sending }
}

const AskForm = (props: AskFormProps) => {
  const { t } = useTranslation()
  const { can, tenant } = useMe()
  const namesOf = useOperationNames()
  const { demand, refused, onClose } = props
  const { form, sending } = useAsking(props)
  const isHome = refused.tenantId === undefined || refused.tenantId === tenant.id
  const mayBreak = demand.break_glass && isHome && can('approval:break_glass')
  return (
    <FieldsDialog
      title={t('approvals.askTitle')}
      submit={t(form.values.break_glass ? 'approvals.breakGlass' : 'approvals.ask')}
      isReady
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <Text size="sm" fw={500}>
        {namesOf(demand.operations)}
      </Text>
      <Text size="sm">{t('approvals.askText', { count: demand.approvals })}</Text>
      <Textarea
        label={t('approvals.reason')}
        description={t('approvals.reasonHint')}
        autosize
        minRows={2}
        maxLength={500}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {mayBreak && (
        <Checkbox
          label={t('approvals.urgent')}
          description={t('approvals.urgentHint')}
          {...form.getInputProps('break_glass', { type: 'checkbox' })}
        />
      )}
    </FieldsDialog>
  )
}
