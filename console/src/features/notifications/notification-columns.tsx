import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReceivedNotification } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { Ago } from '../../components/ago.tsx'
import { NotificationIcon } from '../../components/notification-icon.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useMarkRead } from '../../session/inbox.ts'

const What = ({ item: { id, title, content, type, is_read } }: { item: ReceivedNotification }) => {
  const { t } = useTranslation()
  return (
    <Group gap="sm" wrap="nowrap">
      <NotificationIcon type={type} />
      <Stack gap={0} miw={0}>
        <TextLink
          to="/notifications"
          search={(others) => ({ ...others, id })}
          resetScroll={false}
          className="row-link subject"
          size="sm"
          fw={is_read ? 400 : 600}
          c="inherit"
          underline="never"
          aria-label={t('notifications.open', { title })}
        >
          {title}
        </TextLink>
        {content !== '' && (
          <Text size="xs" c="dimmed" className="subject">
            {content}
          </Text>
        )}
      </Stack>
    </Group>
  )
}

const MarkRead = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const read = useMarkRead()
  return (
    <ActionIcon
      className="above"
      variant="subtle"
      color="gray"
      aria-label={t('notifications.markRead')}
      data-hint={t('notifications.markRead')}
      loading={read.isPending}
      onClick={() => read.mutate(id)}
    >
      <IconCheck size={16} />
    </ActionIcon>
  )
}

export const useNotificationColumns = (): Column<ReceivedNotification>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'what',
      header: t('notifications.titleField'),
      isFixed: true,
      cell: (item) => <What item={item} />,
    },
    {
      key: 'sender',
      header: t('sendings.from'),
      cell: ({ sender }) => sender || t('sendings.unknown'),
    },
    {
      key: 'when',
      width: 9,
      header: t('notifications.when'),
      cell: ({ created_at }) => <Ago at={created_at} />,
    },
    {
      key: 'read',
      width: 10,
      header: t('notifications.markRead'),
      isActions: true,
      cell: ({ id, is_read }) => (is_read ? null : <MarkRead id={id} />),
    },
  ]
}
