import { Checkbox, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ApprovalPolicy } from '@tenantry/client'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { ManyChoice } from '../../components/many-choice.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { usePermissions } from '../roles/roles.queries.ts'
import { useOperationName } from './approval-parts.tsx'
import type { Operation } from './approvals.search.ts'
import { useRenew } from '../../components/use-renew.ts'

interface PolicyDialogProps {
  operation: Operation
  policy: ApprovalPolicy | undefined
  onClose: () => void
}

const useSetting = ({ operation, policy, onClose }: PolicyDialogProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const renew = useRenew()
  const { approvals = 1, permission_codes = [], break_glass = false } = policy ?? {}
  const form = useForm({ initialValues: { approvals: String(approvals), permission_codes, break_glass } })
  const sending = useSubmit(form, async (values) => {
    await api.approvals.putPolicy(operation, { ...values, approvals: Number(values.approvals) })
    await renew()
    onClose()
    notify(t('approvals.policySet'))
  })
  return { form, sending }
}

/** Sets how many people must approve an operation. */
export const PolicyDialog = (props: PolicyDialogProps) => {
  const { t } = useTranslation()
  const { operation, policy, onClose } = props
  const { form, sending } = useSetting(props)
  return (
    <FieldsDialog
      title={t('approvals.policyTitle', { name: useOperationName()(operation) })}
      submit={t('approvals.savePolicy')}
      isReady={!policy || form.isDirty()}
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <Select
        label={t('approvals.needed')}
        description={t('approvals.neededHint')}
        allowDeselect={false}
        data={['1', '2'].map((value) => ({
          value,
          label: t('approvals.people', { count: Number(value) }),
        }))}
        {...form.getInputProps('approvals')}
      />
      {operation === 'authority.give' && <PermissionChoice {...form.getInputProps('permission_codes')} />}
      <Checkbox
        label={t('approvals.allowGlass')}
        description={t('approvals.allowGlassHint')}
        {...form.getInputProps('break_glass', { type: 'checkbox' })}
      />
    </FieldsDialog>
  )
}

interface PermissionChoiceProps {
  value?: string[]
  onChange?: (codes: string[]) => void
}

const PermissionChoice = (props: PermissionChoiceProps) => {
  const { t } = useTranslation()
  const { data = [] } = usePermissions()
  return (
    <ManyChoice
      label={t('approvals.codes')}
      description={t('approvals.codesHint')}
      searchable
      maxValues={50}
      data={data.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))}
      {...props}
    />
  )
}
