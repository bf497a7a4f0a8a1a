import { Button, Group, SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { useReadAll, useUnread } from '../../session/inbox.ts'
import { useMe } from '../../session/me.ts'
import { useNotificationColumns } from './notification-columns.tsx'
import { NotificationView } from './notification-view.tsx'
import { useNotifications } from './use-notifications.ts'

const SendDialog = lazyPart(async () => (await import('./send-dialog.tsx')).SendDialog)

const route = getRouteApi('/shell/notifications')

export const NotificationsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const notifications = useNotifications(search)
  const columns = useNotificationColumns()
  return (
    <>
      <PageHeader
        title={t('places.notifications')}
        description={t('notifications.description')}
        actions={<Actions />}
      />
      <DataTable
        label={t('places.notifications')}
        name="notifications"
        columns={columns}
        rows={notifications}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        page={search}
        onPage={usePageChange()}
        toolbar={<ViewChoice />}
        empty={{ title: t(search.view === 'unread' ? 'notifications.noneUnread' : 'notifications.none') }}
      />
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

const ViewChoice = () => {
  const { t } = useTranslation()
  const { view = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SegmentedControl
      aria-label={t('notifications.view')}
      value={view}
      data={[
        { value: 'all', label: t('common.all') },
        { value: 'unread', label: t('notifications.unread') },
      ]}
      onChange={(value) => void navigate({ search: value === 'unread' ? { view: value } : {} })}
    />
  )
}

const Actions = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [isSending, setSending] = useState(false)
  const readAll = useReadAll()
  const isUnread = (useUnread().data?.count ?? 0) > 0
  return (
    <Group gap="xs">
      {isUnread && (
        <Button variant="default" loading={readAll.isPending} onClick={() => readAll.mutate(undefined)}>
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
