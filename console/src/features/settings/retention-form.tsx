import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useFormat } from '../../format.ts'
import { retention } from './known-settings.ts'
import { useCanConfigure, usePutSetting } from './settings.queries.ts'

/** Null keeps records for ever. */
type Days = number | null

const daysFirst = 365

/** `days` is a text until the form is sent. */
interface Values extends Record<string, unknown> {
  kind: 'forever' | 'days'
  days: string
}

const valuesOf = (saved: Days): Values => ({
  kind: saved === null ? 'forever' : 'days',
  days: String(saved ?? daysFirst),
})

const daysOf = ({ kind, days }: Values): Days => (kind === 'days' ? Number(days) : null)

const isAllowed = (days: string): boolean =>
  /^\d+$/.test(days.trim()) && Number(days) >= retention.daysMin && Number(days) <= retention.daysMax

/** True if the service would then delete records that it keeps now. */
const isShorter = (days: Days, saved: Days): boolean => days !== null && (saved === null || days < saved)

const useBounds = () => {
  const format = useFormat()
  return { min: format.count(retention.daysMin), max: format.count(retention.daysMax) }
}

/** Sets how long audit records are kept. A shorter time deletes records, so it asks first. */
export const RetentionForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const saved = typeof setting?.value === 'number' ? setting.value : null
  return (
    <SectionCard title={t('settings.retention')}>
      <Fields key={saved} saved={saved} />
    </SectionCard>
  )
}

const useRetentionForm = (saved: Days) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const bounds = useBounds()
  const [asked, setAsked] = useState<number>()
  const put = usePutSetting('tenant', () => notify(t('settings.retentionSaved')))
  const form = useForm<Values>({
    initialValues: valuesOf(saved),
    validate: {
      days: (days, { kind }) =>
        kind === 'days' && !isAllowed(days) ? t('settings.retentionWrong', bounds) : null,
    },
  })
  const save = async (value: Days): Promise<void> => {
    await put.mutateAsync({ key: retention.key, value })
  }
  const sending = useSubmit(form, async (values) => {
    const days = daysOf(values)
    if (days !== null && isShorter(days, saved)) setAsked(days)
    else await save(days)
  })
  return { form, put, asked, setAsked, save, ...sending }
}

const Fields = ({ saved }: { saved: Days }) => {
  const { t } = useTranslation()
  const { form, put, asked, setAsked, onSubmit, isSending, error } = useRetentionForm(saved)
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <Choice form={form} isReadOnly={!useCanConfigure('tenant')} />
        {error !== undefined && <ErrorPanel error={error} isOfForm />}
        {form.isDirty() && (
          <Group>
            <Button type="submit" loading={isSending}>
              {t('common.save')}
            </Button>
          </Group>
        )}
      </Stack>
      {asked !== undefined && (
        <ConfirmModal
          opened
          onClose={() => setAsked(undefined)}
          title={t('settings.retentionTitle', { count: asked, days: asked })}
          confirm={t('settings.retentionConfirm')}
          {...mutationProps(put, { key: retention.key, value: asked })}
          word={String(asked)}
        >
          {t('settings.retentionText', { count: asked, days: asked })}
        </ConfirmModal>
      )}
    </form>
  )
}

interface ChoiceProps {
  form: UseFormReturnType<Values>
  isReadOnly: boolean
}

const Choice = ({ form, isReadOnly }: ChoiceProps) => {
  const { t } = useTranslation()
  const hint = t('settings.retentionDaysHint', useBounds())
  return (
    <Radio.Group aria-label={t('settings.retention')} {...form.getInputProps('kind')}>
      <Stack gap="sm">
        <Radio value="forever" label={t('settings.retentionForever')} disabled={isReadOnly} />
        <Radio
          value="days"
          label={t('settings.retentionExpire')}
          description={t('settings.retentionExpireHint')}
          disabled={isReadOnly}
        />
        {form.values.kind === 'days' && (
          <TextInput
            inputMode="numeric"
            ml={32}
            w={220}
            label={t('settings.retentionDays')}
            description={hint}
            disabled={isReadOnly}
            {...form.getInputProps('days')}
          />
        )}
      </Stack>
    </Radio.Group>
  )
}
