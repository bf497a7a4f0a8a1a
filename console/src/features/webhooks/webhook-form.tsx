import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormButtons } from '../../components/named-form.tsx'
import type { useSubmit } from '../../components/use-submit.ts'
import { EventChoice } from './event-choice.tsx'
import { SamplePayload } from './sample-payload.tsx'

/** docs/contract.md, "Webhooks". */
const eventsMax = 50

/** Named as in the API, so that its refusals appear beside the fields. */
type WebhookValues = {
  url: string
  description: string
  events: string[]
  all_tenants: boolean
}

/** A URL that the service may accept. In production it must be https. */
const isUrl = (text: string): boolean => {
  const url = URL.parse(text.trim())
  return url !== null && ['https:', 'http:'].includes(url.protocol) && `${url.username}${url.password}` === ''
}

export const useWebhookForm = (initialValues: WebhookValues) => {
  const { t } = useTranslation()
  const check = useFieldChecks()
  return useForm<WebhookValues>({
    initialValues,
    validate: {
      url: (text) => (isUrl(text) ? null : t('webhooks.urlWrong')),
      description: check('description'),
      events: ({ length }) => {
        if (length === 0) return t('webhooks.eventsMissing')
        return length > eventsMax ? t('webhooks.eventsMany', { count: eventsMax }) : null
      },
    },
  })
}

interface WebhookFormProps {
  form: UseFormReturnType<WebhookValues>
  sending: ReturnType<typeof useSubmit>
  submit: string
  /** Offers the events of every tenant. */
  isForAllOffered?: boolean
  urlNote?: ReactNode
  onClose: () => void
}

export const WebhookForm = (props: WebhookFormProps) => {
  const { form, sending, submit, isForAllOffered, urlNote, onClose } = props
  const { t } = useTranslation()
  return (
    <form noValidate onSubmit={sending.onSubmit}>
      <Stack>
        {sending.error !== undefined && <ErrorPanel error={sending.error} />}
        <TextInput
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          placeholder="https://example.com/hooks/tenantry"
          required
          data-autofocus
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('url')}
        />
        {urlNote}
        <EventChoice
          input={form.getInputProps('events')}
          onChoose={(events) => form.setFieldValue('events', events)}
        />
        <Textarea
          label={t('fields.description')}
          description={t('webhooks.descriptionHint')}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
        />
        <SamplePayload events={form.values.events} />
        {isForAllOffered && (
          <Checkbox
            label={t('webhooks.forAll')}
            description={t('webhooks.forAllHint')}
            {...form.getInputProps('all_tenants', { type: 'checkbox' })}
          />
        )}
        <FormButtons
          submit={submit}
          isSending={sending.isSending}
          isDirty={form.isDirty()}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
