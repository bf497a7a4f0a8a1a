import { Button } from '@mantine/core'
import type { Webhook } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'

const EditWebhookDialog = lazyPart(async () => (await import('./edit-webhook-dialog.tsx')).EditWebhookDialog)
const RotateSecretDialog = lazyPart(
  async () => (await import('./rotate-secret-dialog.tsx')).RotateSecretDialog,
)

const loadQuestions = () => import('./webhook-questions.tsx')
const SetStatus = lazyPart(async () => (await loadQuestions()).SetStatus)
const DeleteWebhook = lazyPart(async () => (await loadQuestions()).DeleteWebhook)

interface WebhookProps {
  webhook: Webhook
}

/** Edits, enables, disables and deletes a webhook, and rotates its secret. */
export const WebhookActions = ({ webhook }: WebhookProps) => {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'status' | 'delete'>()
  const close = (): void => setAsked(undefined)
  return (
    <>
      <Button variant="default" onClick={() => setAsked('edit')}>
        {t('webhooks.edit')}
      </Button>
      <Button variant="default" onClick={() => setAsked('rotate')}>
        {t('webhooks.rotate')}
      </Button>
      <Button variant="default" onClick={() => setAsked('status')}>
        {t(webhook.status === 1 ? 'webhooks.disable' : 'webhooks.enable')}
      </Button>
      <Button color="red" variant="light" onClick={() => setAsked('delete')}>
        {t('webhooks.delete')}
      </Button>
      {asked === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {asked === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {asked === 'status' && <SetStatus webhook={webhook} onClose={close} />}
      {asked === 'delete' && <DeleteWebhook webhook={webhook} onClose={close} />}
    </>
  )
}
