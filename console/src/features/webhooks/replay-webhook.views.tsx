import { Select, Skeleton, Text, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import type { ReplayEffect, ReplayWebhook, Webhook } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { nameOfWebhook, useReplayEffect } from './webhooks.queries.ts'
import { useEventTexts } from './webhooks.texts.ts'
import { useRenew } from '../../components/use-renew.ts'

const begins = ['hour', 'day', 'week', 'moment', 'now'] as const
type Begin = (typeof begins)[number]

const hourMs = 3_600_000
const agoMs = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, now: 0 }

/** The beginning of the replay. Undefined until the user has typed it. */
const momentOf = ({ begin, from }: Pick<Values, 'begin' | 'from'>): string | undefined => {
  if (begin !== 'moment') return new Date(Date.now() - agoMs[begin]).toISOString()
  return Number.isNaN(Date.parse(from)) ? undefined : new Date(from).toISOString()
}

type Values = {
  webhook: string
  begin: Begin
  /** Named as in the API, so that its refusals appear beside the field. */
  from: string
}

interface ReplayProps {
  webhooks: Webhook[]
  /** The first record of the replay. Without a record, the form asks for a time. */
  record?: { id: number; event: string }
  onClose: () => void
}

/** The replay. Undefined until the user has typed the time. */
const replayOf = (values: Values, record: ReplayProps['record']): ReplayWebhook | undefined => {
  if (record) return { from_id: record.id }
  const from = momentOf(values)
  return from === undefined ? undefined : { from }
}

const useReplay = ({ webhooks, record, onClose }: ReplayProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const form = useForm<Values>({
    initialValues: { webhook: String(webhooks[0]?.id ?? ''), begin: 'hour', from: '' },
    validate: { from: (_, values) => (record || momentOf(values) ? null : t('webhooks.momentMissing')) },
  })
  const sending = useSubmit(form, async (values) => {
    await api.webhooks.replay(Number(values.webhook), replayOf(values, record) ?? {})
    await renew()
    onClose()
    notify(t('webhooks.replayed'))
  })
  return { form, sending }
}

/** The button that starts the replay. Skipped events are lost. */
const useButton = ({ again, skipped }: ReplayEffect = { again: 0, skipped: 0 }) => {
  const { t } = useTranslation()
  const isSkip = again === 0 && skipped > 0
  return {
    submit: isSkip ? t('webhooks.skip', { count: skipped }) : t('webhooks.replay'),
    color: skipped > 0 ? 'red.9' : undefined,
  }
}

/** Asks where a webhook continues, and shows the effect of the replay. */
export const ReplayDialog = (props: ReplayProps) => {
  const { t } = useTranslation()
  const { webhooks, record, onClose } = props
  const { form, sending } = useReplay(props)
  const effect = useReplayEffect(Number(form.values.webhook), replayOf(form.values, record))
  const button = useButton(effect.data)
  return (
    <FieldsDialog
      {...{ form, sending, onClose }}
      title={t(record ? 'webhooks.replayFrom' : 'webhooks.replay')}
      {...button}
      isReady
    >
      {webhooks.length > 1 && (
        <Select
          label={t('webhooks.one')}
          allowDeselect={false}
          data={webhooks.map((webhook) => ({ value: String(webhook.id), label: nameOfWebhook(webhook) }))}
          {...form.getInputProps('webhook')}
        />
      )}
      {record ? <FromRecord record={record} /> : <FromMoment form={form} />}
      <Effect effect={effect} />
    </FieldsDialog>
  )
}

const FromRecord = ({ record: { id, event } }: { record: { id: number; event: string } }) => {
  const { t } = useTranslation()
  const text = useEventTexts()(event)
  return <Text size="sm">{t('webhooks.fromRecord', { event: text, id })}</Text>
}

const FromMoment = ({ form }: { form: UseFormReturnType<Values> }) => {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('webhooks.goOn')}
        allowDeselect={false}
        data-autofocus
        data={begins.map((value) => ({ value, label: t(`replayBegins.${value}`) }))}
        {...form.getInputProps('begin')}
      />
      {form.values.begin === 'moment' && (
        <TextInput
          type="datetime-local"
          label={t('webhooks.moment')}
          description={t('webhooks.momentHint')}
          required
          {...form.getInputProps('from')}
        />
      )}
    </>
  )
}

/** Counts the events that the replay would repeat or skip. */
const Effect = ({ effect: { data, error } }: { effect: ReturnType<typeof useReplayEffect> }) => {
  const { t } = useTranslation()
  if (error) return <ErrorPanel error={error} />
  if (!data) return <Skeleton height={24} />
  const { again, skipped } = data
  return (
    <Text size="sm" role="status">
      {again > 0 && t('webhooks.replaysAgain', { count: again })}
      {skipped > 0 && t('webhooks.replaySkips', { count: skipped })}
      {again + skipped === 0 && t('webhooks.replayChangesNothing')}
    </Text>
  )
}
