import { Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Webhook } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FormButtons } from '../../components/named-form.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useScope } from '../../session/scope.ts'
import { useSecretTexts } from './use-secret-texts.ts'
import { useRenewWebhooks } from './webhooks.queries.ts'

interface RotateSecretProps {
  webhook: Webhook
  onClose: () => void
}

/** The longest time is the default: it lets a receiver change the secret without losing a delivery. */
const keptHours = [24, 8, 1, 0]

/** Asks how long the current secret stays valid, then shows the new one once. */
export const RotateSecretDialog = ({ webhook: { id }, onClose }: RotateSecretProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenewWebhooks()
  const [secret, setSecret] = useState<string>()
  const form = useForm({ initialValues: { keep_old_hours: String(keptHours[0]) } })
  const { onSubmit, isSending, error } = useSubmit(form, async ({ keep_old_hours: hours }) => {
    const made = await api.webhooks.rotateSecret(id, { keep_old_hours: Number(hours) })
    setSecret(made.secret)
    await renew()
  })
  return (
    <SecretDialog
      title={t('webhooks.rotate')}
      secret={secret}
      texts={useSecretTexts(t('webhooks.isRotated'))}
      isDirty={form.isDirty()}
      isPending={isSending}
      onClose={onClose}
    >
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
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
          <FormButtons submit={t('webhooks.rotate')} isSending={isSending} isDirty onCancel={onClose} />
        </Stack>
      </form>
    </SecretDialog>
  )
}
