import { Stack, Text, Title } from '@mantine/core'
import type { CreatedWebhook } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useDraft } from '../../components/use-draft.ts'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { TestWebhook } from './test-webhook.tsx'
import { useSecretTexts } from './use-secret-texts.ts'
import { useWebhookForm, WebhookForm } from './webhook-form.tsx'
import { useRenewWebhooks } from './webhooks.queries.ts'

/** No mutation of the query client: its cache would keep the secret. */
const useCreate = () => {
  const { api } = useScope()
  const renew = useRenewWebhooks()
  const [created, setCreated] = useState<CreatedWebhook>()
  const form = useWebhookForm({ url: '', description: '', events: [], all_tenants: false })
  useDraft('webhook', form)
  const sending = useSubmit(form, async (values) => {
    setCreated(await api.webhooks.create(values))
    await renew()
  })
  return { form, created, sending }
}

/** Asks for a new webhook, then shows its secret once, and offers the first test. */
export const CreateWebhookDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { tenantId } = useScope()
  const { form, created, sending } = useCreate()
  return (
    <SecretDialog
      title={t('places.createWebhook')}
      secret={created?.secret}
      texts={useSecretTexts(t('webhooks.isCreated'))}
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

/** The service sends nothing but tests until one has succeeded. */
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
