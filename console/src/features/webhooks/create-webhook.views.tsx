import { Checkbox, Select, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import type { CreatedWebhook, Webhook } from '@tenantry/client'
import { type ReactNode, useState } from 'react'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { EventChoice } from './event-choice.tsx'
import { SamplePayload } from './sample-payload.tsx'
import { TestWebhook } from './test-webhook.tsx'
import { useRenew } from '../../components/use-renew.ts'

/** Does not use the query client, because its cache would keep the secret. */
const useCreate = () => {
  const { api } = useScope()
  const renew = useRenew()
  const [created, setCreated] = useState<CreatedWebhook>()
  const form = useWebhookForm({ url: '', description: '', events: [], all_tenants: false })
  useDraft('webhook', form)
  const sending = useSubmit(form, async (values) => {
    setCreated(await api.webhooks.create(values))
    await renew()
  })
  return { form, created, sending }
}

/** Asks for a new webhook, shows its secret once, and offers the first test. */
export const CreateWebhookDialog = ({ onClose }: { onClose: () => void }) => {
  const { t, textsOf } = useTranslation()
  const { can } = useMe()
  const { tenantId } = useScope()
  const { form, created, sending } = useCreate()
  return (
    <SecretDialog
      title={t('places.createWebhook')}
      secret={created?.secret}
      texts={textsOf('webhookSecrets')}
      created={t('webhooks.isCreated')}
      isDirty={form.isDirty()}
      isPending={sending.isSending}
      onClose={onClose}
      next={created && <FirstTest id={created.id} />}
    >
      <WebhookForm
        form={form}
        sending={sending}
        submit={t('places.createWebhook')}
        isForAllOffered={tenantId === builtInTenantId && can('tenant:enter')}
        onClose={onClose}
      />
    </SecretDialog>
  )
}

/** The first test. Until a test succeeds, the service sends nothing else. */
const FirstTest = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('webhooks.firstTest')}
      </Title>
      <Text size="sm">{t('webhooks.firstTestText')}</Text>
      <TestWebhook id={id} />
      <TextLink to="/webhooks/$webhookId" params={{ webhookId: String(id) }} size="sm">
        {t('webhooks.open')}
      </TextLink>
    </Stack>
  )
}

/** docs/contract.md, "Webhooks". */
const eventsMax = 50

/** The fields have the names of the API, so that its refusals appear beside them. */
type WebhookValues = {
  url: string
  description: string
  events: string[]
  all_tenants: boolean
}

/** True for a URL that the service can accept. In production it must be https. */
const isUrl = (text: string): boolean => {
  const url = URL.parse(text.trim())
  return url !== null && ['https:', 'http:'].includes(url.protocol) && `${url.username}${url.password}` === ''
}

const useWebhookForm = (initialValues: WebhookValues) => {
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

const WebhookForm = (props: WebhookFormProps) => {
  const { form, sending, submit, isForAllOffered, urlNote, onClose } = props
  const { t } = useTranslation()
  return (
    <DialogForm {...{ sending, submit }} isReady={form.isDirty()} onCancel={onClose}>
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
    </DialogForm>
  )
}

interface EditWebhookProps {
  webhook: Webhook
  onClose: () => void
}

const useEdit = ({ webhook, onClose }: EditWebhookProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const { id, url, description, events, all_tenants } = webhook
  const form = useWebhookForm({ url, description, events, all_tenants })
  useDraft(`webhook ${id}`, form)
  const sending = useSubmit(form, async (values) => {
    // Sends only changed fields, so that concurrent changes of others stay.
    await api.webhooks.update(id, {
      ...(form.isDirty('url') ? { url: values.url } : {}),
      ...(form.isDirty('description') ? { description: values.description } : {}),
      ...(form.isDirty('events') ? { events: values.events } : {}),
    })
    await renew()
    onClose()
    notify(t('webhooks.saved'))
  })
  return { form, sending }
}

export const EditWebhookDialog = (props: EditWebhookProps) => {
  const { t } = useTranslation()
  const { form, sending } = useEdit(props)
  const { onClose } = props
  return (
    <FormDialog
      isDirty={form.isDirty()}
      onClose={onClose}
      title={t('webhooks.editTitle')}
      isPending={sending.isSending}
    >
      <WebhookForm
        form={form}
        sending={sending}
        submit={t('common.save')}
        urlNote={
          form.isDirty('url') && (
            <Text size="sm" c="dimmed">
              {t('webhooks.otherUrl')}
            </Text>
          )
        }
        onClose={onClose}
      />
    </FormDialog>
  )
}

interface RotateSecretProps {
  webhook: Webhook
  onClose: () => void
}

/** The longest time is the default: a receiver can then change the secret without losing a delivery. */
const keptHours = [24, 8, 1, 0]

/** Asks how long the current secret stays valid, then shows the new one once. */
export const RotateSecretDialog = ({ webhook: { id }, onClose }: RotateSecretProps) => {
  const { t, textsOf } = useTranslation()
  const { api } = useScope()
  const renew = useRenew()
  const [secret, setSecret] = useState<string>()
  const form = useForm({ initialValues: { keep_old_hours: String(keptHours[0]) } })
  const sending = useSubmit(form, async ({ keep_old_hours: hours }) => {
    const made = await api.webhooks.rotateSecret(id, { keep_old_hours: Number(hours) })
    setSecret(made.secret)
    await renew()
  })
  return (
    <SecretDialog
      title={t('webhooks.rotate')}
      secret={secret}
      texts={textsOf('webhookSecrets')}
      created={t('webhooks.isRotated')}
      isDirty={form.isDirty()}
      isPending={sending.isSending}
      onClose={onClose}
    >
      <DialogForm sending={sending} submit={t('webhooks.rotate')} onCancel={onClose}>
        <Text size="sm">{t('webhooks.rotateText')}</Text>
        <Select
          label={t('webhooks.keepOld')}
          description={form.values.keep_old_hours === '0' ? t('webhooks.keepNone') : t('webhooks.keepHint')}
          allowDeselect={false}
          data-autofocus
          data={keptHours.map((hours) => ({
            value: String(hours),
            label: hours === 0 ? t('webhooks.atOnce') : t('webhooks.hours', { count: hours }),
          }))}
          {...form.getInputProps('keep_old_hours')}
        />
      </DialogForm>
    </SecretDialog>
  )
}
