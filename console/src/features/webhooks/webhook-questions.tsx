import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Webhook } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewWebhooks } from './webhooks.queries.ts'
import { nameOfWebhook } from './webhook-names.ts'

interface QuestionProps {
  webhook: Webhook
  onClose: () => void
}

/** Asks before enabling as well, because waiting events are sent at once. */
export const SetStatus = ({ webhook, onClose }: QuestionProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewWebhooks()
  // The page reloads the webhook meanwhile, but the question must not change.
  const [status] = useState(webhook.status)
  const isEnabled = status === 1
  const changing = useMutation({
    mutationFn: () => api.webhooks.update(webhook.id, { status: isEnabled ? 0 : 1 }),
    onSuccess: async () => {
      onClose()
      notify(t(isEnabled ? 'webhooks.disabled' : 'webhooks.enabled'))
      await renew()
    },
  })
  const name = nameOfWebhook(webhook)
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t(isEnabled ? 'webhooks.disableOne' : 'webhooks.enableOne', { name })}
      confirm={t(isEnabled ? 'webhooks.disable' : 'webhooks.enable')}
      {...(isEnabled ? {} : { color: 'indigo' })}
      {...mutationProps(changing)}
    >
      {isEnabled ? t('webhooks.disableText') : t('webhooks.enableText', { count: webhook.backlog })}
    </ConfirmModal>
  )
}

export const DeleteWebhook = ({ webhook, onClose }: QuestionProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const navigate = useNavigate()
  const { api } = useScope()
  const renew = useRenewWebhooks()
  const name = nameOfWebhook(webhook)
  const deleting = useMutation({
    mutationFn: () => api.webhooks.delete(webhook.id),
    onSuccess: async () => {
      notify(t('webhooks.deleted', { name }))
      // Navigates first, or this page would request the deleted webhook.
      await navigate({ to: '/webhooks' })
      await renew()
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('webhooks.deleteOne', { name })}
      confirm={t('webhooks.delete')}
      {...mutationProps(deleting)}
      // The host, because a description can be long.
      word={URL.parse(webhook.url)?.host ?? ''}
    >
      {t('webhooks.deleteText')}
    </ConfirmModal>
  )
}
