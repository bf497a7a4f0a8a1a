import { Text } from '@mantine/core'
import type { Webhook } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useWebhookForm, WebhookForm } from './webhook-form.tsx'
import { useRenewWebhooks } from './webhooks.queries.ts'

interface EditWebhookProps {
  webhook: Webhook
  onClose: () => void
}

const useEdit = ({ webhook, onClose }: EditWebhookProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewWebhooks()
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
