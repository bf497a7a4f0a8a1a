import { Alert, Button, Group, Text } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from '../translation.ts'
import { useFormat } from '../format.ts'
import { useUnread } from '../session/inbox.ts'
import { useAfterOutage, type Outage } from '../session/outage.ts'

const probeMs = 5000

/** Reports an outage once for the whole page. The next answer of the service ends it. */
export const OutageBanner = ({ outage: { isDatabase, since } }: { outage: Outage }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { refetch, isFetching } = useUnread()
  const probe = useEffectEvent(() => void refetch({ cancelRefetch: false }))
  useEffect(() => {
    const timer = setInterval(() => probe(), probeMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Alert color="orange" icon={<IconCloudOff />} className="outage" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 15rem">
          <b>{isDatabase ? t('shell.databaseAway') : t('shell.serviceAway')}</b>{' '}
          {t('shell.awaySince', { since: format.moment(since) })}
        </Text>
        <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </Group>
    </Alert>
  )
}

/** Loads the failed parts of the page again. */
export const useRenewal = (): void => {
  const queries = useQueryClient()
  useAfterOutage(() => {
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  })
}
