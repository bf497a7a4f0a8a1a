import { Button, EmptyState, Group, Popover, ScrollArea, Skeleton, Stack, Text } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReceivedNotification } from '@tenantry/client'
import { cloneElement, useEffect, useId, useRef, useState } from 'react'
import { Ago } from '../components/ago.tsx'
import { ErrorPanel } from '../components/error-panel.tsx'
import type { PopupButton } from '../components/lazy-popup.tsx'
import { NotificationIcon } from '../components/notification-icon.tsx'
import { TextLink } from '../components/text-link.tsx'
import { client } from '../session/client.ts'
import { AboutLink } from '../features/notifications/about-link.views.tsx'
import { useNoticeText } from '../features/notifications/notice.texts.ts'
import { useInboxKey, useMarkRead, useReadAll } from '../session/inbox.ts'
import { useMe } from '../session/me.ts'
import { useTranslation } from '../translation.ts'

const shownMax = 10

const Inbox = ({ onLeave }: { onLeave: () => void }) => {
  const { t } = useTranslation()
  const { user, reaches } = useMe()
  const latest = useQuery({
    queryKey: [...useInboxKey(), 'latest'],
    queryFn: ({ signal }) =>
      client.notifications.list(user.id, { include: 'sender', page_size: shownMax }, { signal }),
  })
  const readAll = useReadAll()
  const isUnread = latest.data?.items.some(({ is_read }) => !is_read) ?? false
  const mayRead = reaches('markAllNotificationsRead')
  return (
    <Stack gap="xs">
      <Group justify="space-between" mih={30}>
        <Text fw={600}>{t('shell.notifications')}</Text>
        {isUnread && mayRead && (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={readAll.isPending}
            onClick={() => readAll.mutate(undefined)}
          >
            {t('shell.readAll')}
          </Button>
        )}
      </Group>
      {latest.error ? (
        <ErrorPanel error={latest.error} onRetry={() => void latest.refetch()} />
      ) : (
        <InboxItems items={latest.data?.items} onLeave={onLeave} />
      )}
      <TextLink to="/notifications" size="sm" ta="center" onClick={onLeave}>
        {t('shell.seeAll')}
      </TextLink>
    </Stack>
  )
}

interface InboxItemsProps {
  items: ReceivedNotification[] | undefined
  onLeave: () => void
}

const InboxItems = ({ items, onLeave }: InboxItemsProps) => {
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
          <InboxItem key={item.id} item={item} onLeave={onLeave} />
        ))}
      </Stack>
    </ScrollArea.Autosize>
  )
}

const InboxItem = ({ item, onLeave }: { item: ReceivedNotification; onLeave: () => void }) => {
  const { id, title, type, is_read, created_at } = item
  const content = useNoticeText()(item)
  const titleId = useId()
  const { reaches } = useMe()
  const { mutate: markRead } = useMarkRead()
  const leave = (): void => {
    if (!is_read && reaches('markNotificationRead')) markRead(id)
    onLeave()
  }
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <NotificationIcon type={type} />
      <Stack gap={0} miw={0}>
        <TextLink
          id={titleId}
          to="/notifications"
          search={{ id }}
          size="sm"
          fw={is_read ? 400 : 600}
          lineClamp={2}
          onClick={onLeave}
        >
          {title}
        </TextLink>
        {content !== '' && (
          <Text size="sm" c="dimmed" lineClamp={3}>
            {content}
          </Text>
        )}
        <Group gap="sm">
          <Ago at={created_at} size="xs" c="dimmed" />
          <AboutLink item={item} size="sm" aria-describedby={titleId} onClick={leave} />
        </Group>
      </Stack>
    </Group>
  )
}

interface InboxPopoverProps {
  children: PopupButton
}

export const InboxPopover = ({ children }: InboxPopoverProps) => {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // The button was replaced, as in popup-menu.tsx.
    button.current?.focus()
    const timer = setTimeout(() => setOpen(true))
    return () => clearTimeout(timer)
  }, [])
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        {cloneElement(children, { ref: button, onClick: () => setOpen(!isOpen) })}
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t('shell.notifications')}>
        {isOpen && <Inbox onLeave={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}
