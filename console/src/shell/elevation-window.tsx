import { NumberInput, Select, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { EligibleRole } from '@tenantry/client'
import { Dialog } from '../components/dialog.tsx'
import { useFactorRefusal } from '../components/factor-refusal.tsx'
import { FieldsDialog } from '../components/form-dialog.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useSubmit } from '../components/use-submit.ts'
import { useFormat } from '../format.ts'
import { client } from '../session/client.ts'
import { useOwnEligible } from '../session/elevation.ts'
import { useRoleName } from '../system-roles.ts'
import { useTranslation } from '../translation.ts'

interface WindowProps {
  onClose: () => void
}

/** Starts a role for some minutes, in this session. */
export const ElevationWindow = ({ onClose }: WindowProps) => {
  const { t } = useTranslation()
  const eligible = useOwnEligible()
  if (eligible === undefined) return null
  if (eligible.length > 0) return <StartRole eligible={eligible} onClose={onClose} />
  return (
    <Dialog opened title={t('elevation.title')} onClose={onClose}>
      <Text size="sm">{t('elevationForm.none')}</Text>
    </Dialog>
  )
}

const usualMinutes = 60

const useStart = ([first]: EligibleRole[], onDone: () => void) => {
  const { t } = useTranslation()
  const format = useFormat()
  const notify = useNotify()
  const queries = useQueryClient()
  const roleName = useRoleName()
  const form = useForm<{ role_id: string; minutes: number | string; reason: string }>({
    initialValues: {
      role_id: String(first?.role.id),
      minutes: Math.min(usualMinutes, first?.max_minutes ?? usualMinutes),
      reason: '',
    },
    validate: { reason: (reason) => (reason.trim() === '' ? t('fieldFaults.missing') : null) },
  })
  const sending = useSubmit(form, async ({ role_id: id, minutes, reason }) => {
    const { role, ends_at: end } = await client.roles.startElevation({
      role_id: Number(id),
      minutes: Number(minutes),
      reason,
    })
    // The session may see more from now on: every page asks again.
    await queries.invalidateQueries()
    notify(t('elevationForm.started', { role: roleName(role.name), time: format.moment(end) }))
    onDone()
  })
  return { form, sending }
}

const StartRole = ({ eligible, onClose }: WindowProps & { eligible: EligibleRole[] }) => {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const { form, sending } = useStart(eligible, onClose)
  const chosen = eligible.find(({ role }) => String(role.id) === form.values.role_id)
  return (
    <FieldsDialog
      title={t('elevation.title')}
      submit={t('elevationForm.start')}
      isReady
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <Select
        label={t('elevationForm.role')}
        description={t('elevationForm.text')}
        allowDeselect={false}
        data={eligible.map(({ role }) => ({ value: String(role.id), label: roleName(role.name) }))}
        {...form.getInputProps('role_id')}
      />
      <NumberInput
        label={t('elevationForm.minutes')}
        min={5}
        max={chosen?.max_minutes ?? usualMinutes}
        required
        {...form.getInputProps('minutes')}
      />
      <Textarea
        label={t('elevationForm.reason')}
        description={t('elevationForm.reasonHint')}
        maxLength={500}
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </FieldsDialog>
  )
}
