import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReceivedNotification } from '@tenantry/client'
import { Ago } from '../../components/ago.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { NotificationIcon } from '../../components/notification-icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useMarkRead, useReadAll, useUnread } from '../../session/inbox.ts'
import { rung } from '../../session/live.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useNoticeText } from './notice.texts.ts'
import { NotificationView, useNotifications } from './notification-view.tsx'

const SentList = lazyPart(async () => (await import('./sent-list.tsx')).SentList, <Skeleton height={240} />)
const SendDialog = lazyPart(async () => (await import('./send-dialog.tsx')).SendDialog)

const route = getRouteApi('/shell/notifications')

export const NotificationsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isSent = useMe().can('notification:send') && search.view === 'sent'
  return (
    <>
      <PageHeader
        title={t('places.notifications')}
        description={t(isSent ? 'sendings.description' : 'notifications.description')}
        actions={<Actions />}
      />
      {isSent ? <SentList search={search} toolbar={<ViewChoice />} /> : <InboxList />}
      {search.id !== undefined && (
        <NotificationView
          key={search.id}
          id={search.id}
          onClose={() =>
            void navigate({ search: (others) => ({ ...others, id: undefined }), resetScroll: false })
          }
        />
      )}
    </>
  )
}

const InboxList = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const notifications = useNotifications(search)
  return (
    <DataTable
      label={t('places.notifications')}
      name="notifications"
      columns={useNotificationColumns()}
      rows={notifications}
      news={useNews([rung], notifications)}
      idOf={({ id }) => id}
      nameOf={({ title }) => title}
      page={search}
      toolbar={<ViewChoice />}
      empty={
        search.view === 'unread'
          ? {
              title: t('notifications.noneUnread'),
              action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
            }
          : { title: t('notifications.none'), description: t('notifications.noneText') }
      }
    />
  )
}

const ViewChoice = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { view: chosen = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SegmentedControl
      aria-label={t('notifications.view')}
      value={chosen}
      data={[
        { value: 'all', label: t('common.all') },
        { value: 'unread', label: t('notifications.unread') },
        ...(can('notification:send') ? [{ value: 'sent' as const, label: t('sendings.mine') }] : []),
      ]}
      onChange={(view) => void navigate({ search: view === 'all' ? {} : { view } })}
    />
  )
}

const Actions = () => {
  const { t } = useTranslation()
  const { can, reaches } = useMe()
  const readAll = useReadAll()
  const isInbox = route.useSearch().view !== 'sent'
  const isUnread = (useUnread().data?.count ?? 0) > 0
  return (
    <Group gap="xs">
      {isInbox && reaches('markAllNotificationsRead') && (
        <Button
          variant="default"
          disabled={!isUnread}
          loading={readAll.isPending}
          onClick={() => readAll.mutate(undefined)}
        >
          {t('shell.readAll')}
        </Button>
      )}
      {can('notification:send') && (
        <DialogButton label={t('notifications.send')}>
          {(onClose) => <SendDialog onClose={onClose} />}
        </DialogButton>
      )}
    </Group>
  )
}

const What = ({ item }: { item: ReceivedNotification }) => {
  const { t } = useTranslation()
  const { id, title, type, is_read } = item
  const content = useNoticeText()(item)
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
          <Text size="xs" c="dimmed" className="subject clamped">
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
    <Button
      className="above"
      size="compact-sm"
      variant="default"
      loading={read.isPending}
      onClick={() => read.mutate(id)}
    >
      {t('notifications.markRead')}
    </Button>
  )
}

const useNotificationColumns = (): Column<ReceivedNotification>[] => {
  const { t } = useTranslation()
  const { reaches } = useMe()
  const marks: Column<ReceivedNotification> = {
    key: 'read',
    width: 10,
    header: t('notifications.markRead'),
    isActions: true,
    cell: ({ id, is_read }) => (is_read ? null : <MarkRead id={id} />),
  }
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
      cell: ({ sender }) => sender || t('sendings.service'),
    },
    {
      key: 'when',
      width: 9,
      header: t('notifications.when'),
      cell: ({ created_at }) => <Ago at={created_at} />,
    },
    ...(reaches('markNotificationRead') ? [marks] : []),
  ]
}
