import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { useReadAll, useUnread } from '../../session/inbox.ts'
import { useNews } from '../../components/list-news.tsx'
import { rung } from '../../session/live.ts'
import { useMe } from '../../session/me.ts'
import { useNotificationColumns } from './notification-columns.tsx'
import { NotificationView } from './notification-view.tsx'
import { useNotifications } from './use-notifications.ts'

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
      onPage={usePageChange()}
      toolbar={<ViewChoice />}
      empty={{ title: t(search.view === 'unread' ? 'notifications.noneUnread' : 'notifications.none') }}
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
  const { can } = useMe()
  const [isSending, setSending] = useState(false)
  const readAll = useReadAll()
  const isInbox = route.useSearch().view !== 'sent'
  const isUnread = (useUnread().data?.count ?? 0) > 0
  return (
    <Group gap="xs">
      {isInbox && (
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
        <Button onClick={() => setSending(true)}>{t('notifications.send')}</Button>
      )}
      {isSending && <SendDialog onClose={() => setSending(false)} />}
    </Group>
  )
}
