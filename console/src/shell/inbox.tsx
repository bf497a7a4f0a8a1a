import { Button, EmptyState, Group, ScrollArea, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Notification } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../components/error-panel.tsx'
import { useFormat } from '../format.ts'
import { client } from '../session/client.ts'
import { useMe } from '../session/me.ts'

const shownMax = 10

const looks = {
  info: { color: 'blue', icon: IconInfoCircle },
  success: { color: 'teal', icon: IconCircleCheck },
  warning: { color: 'yellow', icon: IconAlertTriangle },
  error: { color: 'red', icon: IconCircleX },
}

/** The latest notifications of the caller. */
export const Inbox = () => {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { id } = useMe().user
  const latest = useQuery({
    queryKey: ['notifications', id, 'latest'],
    queryFn: ({ signal }) => client.notifications.list(id, { page_size: shownMax }, { signal }),
  })
  const readAll = useMutation({
    mutationFn: () => client.notifications.markAllRead(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['notifications', id] }),
  })
  const isUnread = latest.data?.items.some(({ is_read }) => !is_read) ?? false
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={30}>
        <Text fw={600}>{t('shell.notifications')}</Text>
        {isUnread && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={readAll.isPending}
            onClick={() => readAll.mutate()}
          >
            {t('shell.readAll')}
          </Button>
        )}
      </Group>
      {latest.error ? (
        <ErrorPanel error={latest.error} onRetry={() => void latest.refetch()} />
      ) : (
        <InboxItems items={latest.data?.items} />
      )}
    </Stack>
  )
}

const InboxItems = ({ items }: { items: Notification[] | undefined }) => {
  const { t } = useTranslation()
  if (!items) return <Skeleton height={96} />
  if (items.length === 0) {
    return (
      <EmptyState
        size="sm"
        py="md"
        icon={<IconBell size={24} stroke={1.5} />}
        title={t('shell.noNotification')}
      />
    )
  }
  return (
    <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0 }}>
      <Stack gap="md">
        {items.map((item) => (
          <InboxItem key={item.id} item={item} />
        ))}
      </Stack>
    </ScrollArea.Autosize>
  )
}

const InboxItem = ({ item: { title, content, type, is_read, created_at } }: { item: Notification }) => {
  const format = useFormat()
  const { color, icon: Icon } = looks[type]
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" color={color} size="md">
        <Icon size={16} />
      </ThemeIcon>
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={is_read ? 400 : 600}>
          {title}
        </Text>
        {content !== '' && (
          <Text size="sm" c="dimmed" lineClamp={3}>
            {content}
          </Text>
        )}
        <Text size="xs" c="dimmed" title={format.moment(created_at)}>
          {format.ago(created_at)}
        </Text>
      </Stack>
    </Group>
  )
}
