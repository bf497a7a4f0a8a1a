import { Button, Card, Group, Radio, Stack, TextInput, Title } from '@mantine/core'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { retention } from './known-settings.ts'
import { ReadByService } from './read-by-service.tsx'
import { useCanWrite, usePutSetting } from './settings.queries.ts'

/** Null keeps records for ever. */
type Days = number | null

const daysFirst = 365

const isAllowed = (days: Days): boolean =>
  days === null || (Number.isInteger(days) && days >= retention.daysMin && days <= retention.daysMax)

/** Whether the service would delete records that it keeps today. */
const isShorter = (days: Days, saved: Days): boolean => days !== null && (saved === null || days < saved)

/** Sets how long audit records are kept. A shorter time deletes records, so it asks first. */
export const RetentionForm = ({ setting }: { setting: Setting | undefined }) => {
  const { t } = useTranslation()
  const saved = typeof setting?.value === 'number' ? setting.value : null
  return (
    <Card withBorder padding="lg" mb="lg">
      <Title order={2} size="h4">
        {t('settings.retention')}
      </Title>
      <ReadByService name={retention.key} />
      <Fields key={saved} saved={saved} />
    </Card>
  )
}

const Fields = ({ saved }: { saved: Days }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [days, setDays] = useState(saved)
  const [isAsking, setAsking] = useState(false)
  const put = usePutSetting('tenant', () => notify(t('settings.retentionSaved')))
  const save = (): void => put.mutate({ key: retention.key, value: days })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isShorter(days, saved)) setAsking(true)
        else save()
      }}
    >
      <Stack gap="sm">
        <Choice days={days} saved={saved} onChange={setDays} isReadOnly={!useCanWrite('tenant')} />
        {put.error && !isAsking && <ErrorPanel error={put.error} />}
        {days !== saved && (
          <Group>
            <Button type="submit" loading={put.isPending} disabled={!isAllowed(days)}>
              {t('common.save')}
            </Button>
          </Group>
        )}
      </Stack>
      {days !== null && (
        <ConfirmModal
          opened={isAsking}
          onClose={() => setAsking(false)}
          title={t('settings.retentionTitle', { count: days, days })}
          confirm={t('settings.retentionConfirm')}
          onConfirm={save}
          word={String(days)}
          isPending={put.isPending}
          error={put.error}
        >
          {t('settings.retentionText', { count: days, days })}
        </ConfirmModal>
      )}
    </form>
  )
}

interface ChoiceProps {
  days: Days
  saved: Days
  onChange: (days: Days) => void
  isReadOnly: boolean
}

const Choice = ({ days, saved, onChange, isReadOnly }: ChoiceProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [min, max] = [format.count(retention.daysMin), format.count(retention.daysMax)]
  const hint = t('settings.retentionDaysHint', { min, max })
  return (
    <Radio.Group
      aria-label={t('settings.retention')}
      value={days === null ? 'forever' : 'days'}
      onChange={(choice) => onChange(choice === 'days' ? (saved ?? daysFirst) : null)}
    >
      <Stack gap="sm">
        <Radio value="forever" label={t('settings.retentionForever')} disabled={isReadOnly} />
        <Radio
          value="days"
          label={t('settings.retentionExpire')}
          description={t('settings.retentionExpireHint')}
          disabled={isReadOnly}
        />
        {days !== null && (
          <TextInput
            type="number"
            ml={32}
            w={220}
            label={t('settings.retentionDays')}
            description={hint}
            value={Number.isNaN(days) ? '' : days}
            onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
            error={isAllowed(days) ? undefined : hint}
            min={retention.daysMin}
            max={retention.daysMax}
            disabled={isReadOnly}
          />
        )}
      </Stack>
    </Radio.Group>
  )
}
