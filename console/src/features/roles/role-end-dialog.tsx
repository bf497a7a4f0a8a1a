import { useForm } from '@mantine/form'
import type { RoleAssignment } from '@tenantry/client'
import { endOf, useDayCheck, type EndValues } from '../../components/end-fields.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { zoned } from '../../components/zoned-time.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { nameOf, useTimeZone } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RoleEndFields } from './role-end-fields.views.tsx'
import { AssignmentFacts } from './role-ends.views.tsx'
import type { RoleHolder } from './roles.views.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface ChangeEndDialogProps {
  user: RoleHolder
  assignment: RoleAssignment
  onClose: () => void
}

const valuesOf = ({ expires_at: end }: RoleAssignment, zone: string | undefined): EndValues =>
  end === ''
    ? { expires_at: 'never', day: '' }
    : { expires_at: 'date', day: zoned(end, zone).format('YYYY-MM-DD') }

export const ChangeEndDialog = ({ user, assignment, onClose }: ChangeEndDialogProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const zone = useTimeZone()
  const renew = useRenew()
  const form = useForm<EndValues>({
    initialValues: valuesOf(assignment, zone),
    validate: { day: useDayCheck() },
  })
  const sending = useSubmit(form, async (ending) => {
    const ref = { userId: user.id, roleId: assignment.role.id }
    await api.roles.changeAssignmentEnd(ref, endOf(ending, zone) ?? null)
    notify(t('roleEndForms.changed'))
    await renew()
    onClose()
  })
  return (
    <FieldsDialog
      title={t('roleEndForms.changeTitle', { role: assignment.role.name, name: nameOf(user) })}
      submit={t('common.save')}
      {...{ form, sending, onClose }}
    >
      <AssignmentFacts assignment={assignment} />
      <RoleEndFields form={form} />
    </FieldsDialog>
  )
}
