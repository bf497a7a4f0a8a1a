import { Checkbox, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useFieldChecks } from '../../components/field-checks.ts'
import { useFactorRefusal } from '../../components/factor-refusal.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { NameInput } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { Recipients, type Recipient } from '../notifications/recipients.views.tsx'
import { kinds, type Kind } from './reviews.search.ts'
import { useRenew } from '../../components/use-renew.ts'

const dayMs = 86_400_000
const periods = ['7', '14', '30', '60', '90']

const daysMax = 90

/** The clock of the browser may be ahead of that of the service, which takes 90 days at most. */
const dueIn = (days: string): string => {
  const sparedMs = Number(days) === daysMax ? dayMs / 24 : 0
  return new Date(Date.now() + Number(days) * dayMs - sparedMs).toISOString()
}

interface Values extends Record<string, unknown> {
  name: string
  kinds: Kind[]
  reviewer_ids: Recipient[]
  due_at: string
}

const useOpening = (onClose: () => void) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const notify = useNotify()
  const navigate = useNavigate()
  const renew = useRenew()
  const check = useFieldChecks()
  const form = useForm<Values>({
    initialValues: { name: '', kinds: [...kinds], reviewer_ids: [], due_at: '14' },
    validate: {
      name: check('tenantName'),
      kinds: (chosen) => (chosen.length === 0 ? t('reviews.noKind') : null),
      reviewer_ids: (chosen) =>
        chosen.length === 0 || chosen.length > 20 ? t('reviews.reviewersWrong') : null,
    },
  })
  const sending = useSubmit(form, async ({ name, reviewer_ids: chosen, due_at: days, ...fields }) => {
    const reviewer_ids = chosen.map(({ id }) => id)
    const { id } = await api.reviews.open({
      name,
      kinds: fields.kinds,
      reviewer_ids,
      due_at: dueIn(days),
    })
    await renew()
    onClose()
    notify(t('reviews.opened', { name }))
    await navigate({ to: '/reviews/$reviewId', params: { reviewId: String(id) }, ignoreBlocker: true })
  })
  return { form, sending }
}

/** Asks for a new review, and leads to it. */
export const OpenReviewDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, sending } = useOpening(onClose)
  const { reviewer_ids: chosen } = form.values
  return (
    <FieldsDialog
      title={t('reviews.openOne')}
      submit={t('reviews.openOne')}
      isReady
      refusal={useFactorRefusal()}
      {...{ form, sending, onClose }}
    >
      <NameInput placeholder={t('reviews.nameExample')} {...form.getInputProps('name')} />
      <Checkbox.Group label={t('reviews.kinds')} {...form.getInputProps('kinds')}>
        <Stack gap="xs" mt="xs">
          {kinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`reviewKinds.${kind}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Recipients
        label={t('reviews.reviewers')}
        chosen={chosen}
        error={form.errors['reviewer_ids']}
        onChange={(users) => form.setFieldValue('reviewer_ids', users)}
      />
      <Select
        label={t('reviews.due')}
        description={t('reviews.dueHint')}
        allowDeselect={false}
        data={periods.map((days) => ({ value: days, label: t('reviews.inDays', { count: Number(days) }) }))}
        {...form.getInputProps('due_at')}
      />
    </FieldsDialog>
  )
}
