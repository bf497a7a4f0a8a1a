import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReceivedNotification } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { NotificationIcon } from '../../components/notification-icon.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { useNotify } from '../../components/use-notify.ts'
import { client } from '../../session/client.ts'
import { useDeleteNotification, useInboxKey, useMarkRead } from '../../session/inbox.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { AboutLink } from './about-link.views.tsx'
import { useNoticeText } from './notice.texts.ts'
import type { NotificationsSearch } from './notifications.search.ts'

interface NotificationViewProps {
  id: number
  onClose: () => void
}

export const NotificationView = ({ id, onClose }: NotificationViewProps) => {
  const { t } = useTranslation()
  const notification = useNotification(id)
  const { data } = notification
  const { mutate: markRead } = useMarkRead()
  const { reaches } = useMe()
  const isUnread = data?.is_read === false && reaches('markNotificationRead')
  useEffect(() => {
    if (isUnread) markRead(id)
  }, [isUnread, id, markRead])
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={data?.title ?? t('notifications.one')}
      classNames={{ title: 'whole' }}
    >
      <Loaded query={notification} height={96}>
        {(item) => <Opened item={item} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

const Opened = ({ item, onClose }: { item: ReceivedNotification; onClose: () => void }) => {
  const { t } = useTranslation()
  const { reaches } = useMe()
  const content = useNoticeText()(item)
  return (
    <Stack>
      <Group gap="sm">
        <NotificationIcon type={item.type} />
        <Text size="sm" c="dimmed">
          {t(`notificationTypes.${item.type}`)} · <MomentAndAgo at={item.created_at} />
          {item.sender && ` · ${t('sendings.from')}: ${item.sender}`}
        </Text>
      </Group>
      {content !== '' && (
        <Text size="sm" className="whole">
          {content}
        </Text>
      )}
      <AboutLink item={item} />
      <Group justify="flex-end">
        {reaches('deleteNotification') && <DeleteButton id={item.id} onDone={onClose} />}
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </Group>
    </Stack>
  )
}

const DeleteButton = ({ id, onDone }: { id: number; onDone: () => void }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteNotification()
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync(id)
    notify(t('notifications.deleted'))
    onDone()
  }
  return (
    <>
      <Button variant="subtle" color="red" c="var(--text-bad)" mr="auto" onClick={() => setAsking(true)}>
        {t('notifications.delete')}
      </Button>
      <ConfirmModal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('notifications.deleteTitle')}
        confirm={t('notifications.delete')}
        // The dialog shows the error.
        onConfirm={() => void confirm().catch(() => undefined)}
        isPending={remove.isPending}
        error={remove.error}
      >
        {t('notifications.deleteText')}
      </ConfirmModal>
    </>
  )
}

export const useNotifications = ({ page = 1, size = defaultPageSize, view }: NotificationsSearch) => {
  const userId = useMe().user.id
  return useQuery({
    queryKey: [...useInboxKey(), { page, size, view }],
    queryFn: ({ signal }) => {
      const filter = view === 'unread' ? { is_read: false } : {}
      return client.notifications.list(
        userId,
        { ...filter, include: 'sender', page, page_size: size },
        { signal },
      )
    },
    placeholderData: keepPreviousData,
  })
}

const useNotification = (id: number) =>
  useQuery({
    queryKey: [...useInboxKey(), 'one', id],
    queryFn: ({ signal }) => client.notifications.get(id, { include: 'sender' }, { signal }),
  })
