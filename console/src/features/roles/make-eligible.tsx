import { NumberInput, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { EligibleRole, Role } from '@tenantry/client'
import { endOf, useDayCheck, type EndValues } from '../../components/end-fields.tsx'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { nameOf, useTimeZone } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RoleEndFields } from './role-end-fields.views.tsx'
import { useRoles } from './roles.queries.ts'
import { useRoleOptions } from './role-options.views.tsx'
import type { RoleHolder } from './roles.views.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface MakeEligibleProps {
  user: RoleHolder
  held: Role[]
  eligible: EligibleRole[]
  onClose: () => void
}

type Values = EndValues & { role_id: string | null; max_minutes: number | string }

const useMakeEligible = (user: RoleHolder, onDone: () => void) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const zone = useTimeZone()
  const renew = useRenew()
  const form = useForm<Values>({
    initialValues: { role_id: null, max_minutes: 60, expires_at: 'never', day: '' },
    validate: {
      role_id: (id) => (id === null ? t('fieldFaults.missing') : null),
      day: useDayCheck(),
    },
  })
  const sending = useSubmit(form, async ({ role_id: id, max_minutes: minutes, ...ending }) => {
    const end = endOf(ending, zone)
    await api.roles.makeEligible(user.id, {
      role_id: Number(id),
      max_minutes: Number(minutes),
      ...(end === undefined ? {} : { expires_at: end }),
    })
    notify(t('roleEndForms.madeEligible'))
    await renew()
    onDone()
  })
  return { form, sending }
}

export const MakeEligible = ({ user, held, eligible, onClose }: MakeEligibleProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const taken = new Set([...held.map(({ id }) => id), ...eligible.map(({ role }) => role.id)])
  const options = useRoleOptions(roles.filter(({ id }) => !taken.has(id)))
  const { form, sending } = useMakeEligible(user, onClose)
  return (
    <FieldsDialog
      title={t('roleEndForms.makeEligibleTitle', { name: nameOf(user) })}
      submit={t('roleEnds.makeEligible')}
      isReady
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <Select
        label={t('roleEndForms.role')}
        placeholder={t('users.chooseRole')}
        searchable
        required
        {...options}
        {...form.getInputProps('role_id')}
      />
      <NumberInput
        label={t('roleEndForms.maxMinutes')}
        min={5}
        max={480}
        required
        {...form.getInputProps('max_minutes')}
      />
      <RoleEndFields form={form} />
    </FieldsDialog>
  )
}
