import { Button, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Sending } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { Ago } from '../../components/ago.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { BroadcastProgress, useBroadcast } from './broadcast-progress.tsx'

const useSent = ({ page = 1, size = defaultPageSize }: PageSearch) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sent', tenantId, { page, size }],
    queryFn: ({ signal }) => api.notifications.sent({ page, page_size: size }, { signal }),
    placeholderData: keepPreviousData,
  })
}

const useSentColumns = (onGoOn: (sending: Sending) => void): Column<Sending>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  const recipientOf = ({ user_id: userId, role_id: roleId, recipient }: Sending): string => {
    if (userId !== 0) return recipient
    return roleId === 0 ? t('sendings.everyone') : t('sendings.holders', { role: recipient })
  }
  return [
    {
      key: 'title',
      header: t('notifications.titleField'),
      isFixed: true,
      cell: ({ title, content }) => (
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={500} className="subject">
            {title}
          </Text>
          <Text size="xs" c="dimmed" className="subject">
            {content}
          </Text>
        </Stack>
      ),
    },
    { key: 'to', header: t('notifications.recipients'), cell: recipientOf },
    {
      key: 'progress',
      header: t('sendings.done'),
      cell: ({ sent, total }) =>
        t('sendings.progress', { sent: format.count(sent), total: format.count(total) }),
    },
    { key: 'when', header: t('sendings.when'), cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      key: 'actions',
      header: t('table.actions'),
      isActions: true,
      cell: (sending) =>
        sending.is_done ? null : (
          <Button size="compact-sm" variant="default" onClick={() => onGoOn(sending)}>
            {t('sendings.goOn')}
          </Button>
        ),
    },
  ]
}

interface SentListProps {
  search: PageSearch
  toolbar: ReactNode
}

/** The caller's messages in the tenant in scope. An unfinished broadcast can be continued. */
export const SentList = ({ search, toolbar }: SentListProps) => {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Sending>()
  return (
    <>
      <DataTable
        label={t('sendings.mine')}
        name="sent"
        columns={useSentColumns(setOpened)}
        rows={useSent(search)}
        idOf={({ id }) => id}
        nameOf={({ title }) => title}
        page={search}
        toolbar={toolbar}
        empty={{ title: t('sendings.none') }}
      />
      {opened && <GoOn key={opened.id} sending={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

const GoOn = ({ sending, onClose }: { sending: Sending; onClose: () => void }) => {
  const broadcast = useBroadcast(sending)
  return (
    <Dialog opened onClose={onClose} title={sending.title} isPending={broadcast.isRunning}>
      <BroadcastProgress broadcast={broadcast} sending={broadcast.sending ?? sending} onClose={onClose} />
    </Dialog>
  )
}
