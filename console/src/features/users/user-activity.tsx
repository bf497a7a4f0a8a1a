import { Code, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditLog, User } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'

const route = getRouteApi('/shell/users/$userId')

const useActivity = (id: number) => {
  const { page, size = defaultPageSize } = route.useSearch()
  const { api, tenantId } = useScope()
  const query = { user_id: id, page, page_size: size }
  return useQuery({
    queryKey: ['audit', tenantId, query],
    queryFn: ({ signal }) => api.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** What was changed, as in `nickname: "" → "Ada"`; of what is new its value, of what is gone that it is. */
const sayChange = ([field, change]: [string, unknown]): string => {
  const { from = null, to = null } = (change ?? {}) as { from?: unknown; to?: unknown }
  if (from === null) return `${field}: ${JSON.stringify(to)}`
  return `${field}: ${JSON.stringify(from)} → ${to === null ? '–' : JSON.stringify(to)}`
}

const useColumns = (): Column<AuditLog>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      key: 'action',
      header: t('users.action'),
      isFixed: true,
      cell: ({ action }) => <Code>{action}</Code>,
    },
    {
      key: 'about',
      header: t('users.about'),
      cell: ({ resource, resource_id }) => (
        <Text size="sm" className="cut" title={resource_id}>
          {resource} {resource_id}
        </Text>
      ),
    },
    {
      key: 'change',
      header: t('users.change'),
      cell: ({ detail }) => {
        const said = Object.entries(detail).map(sayChange).join(', ')
        return (
          <Text size="sm" c="dimmed" className="cut" title={said}>
            {said}
          </Text>
        )
      },
    },
    {
      key: 'at',
      header: t('users.at'),
      cell: ({ created_at: at }) => (
        <Text size="sm" title={format.moment(at)} style={{ whiteSpace: 'nowrap' }}>
          {format.ago(at)}
        </Text>
      ),
    },
  ]
}

/** The audit records of what a user did. */
export const UserActivity = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return (
    <DataTable
      label={t('users.activity')}
      name="user-activity"
      columns={useColumns()}
      rows={useActivity(user.id)}
      idOf={({ id }) => id}
      nameOf={({ action }) => action}
      page={route.useSearch()}
      onPage={(page) => void navigate({ search: { tab: 'activity', ...page } })}
      toolbar={
        <Text size="sm" c="dimmed">
          {t('users.activityText')}
        </Text>
      }
      empty={{ title: t('users.noActivity') }}
    />
  )
}
