import { Stack, Switch, Text } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { secondFactor } from './known-settings.ts'
import { ReadByService } from './read-by-service.tsx'
import { useCanWrite, usePutSetting } from './settings.queries.ts'

/** Asks everybody in the tenant for a second factor; the service changes it only in a session with one. */
export const SecondFactorForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const put = usePutSetting('tenant', ({ key }) => notify(t('settings.saved', { key })))
  const canWrite = useCanWrite('tenant')
  const isAsked = setting?.value === true
  if (!canWrite && !isAsked) return null
  return (
    <SectionCard title={t('factors.title')} hint={<ReadByService name={secondFactor.key} />}>
      <Stack gap="sm">
        {canWrite ? (
          <Switch
            label={t('settings.secondFactor')}
            description={t('settings.secondFactorHint')}
            checked={isAsked}
            disabled={put.isPending}
            onChange={(event) => put.mutate({ key: secondFactor.key, value: event.currentTarget.checked })}
          />
        ) : (
          <Text size="sm">{t('settings.secondFactor')}</Text>
        )}
        {put.error && <ErrorPanel error={put.error} />}
      </Stack>
    </SectionCard>
  )
}
