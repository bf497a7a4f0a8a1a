import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useScope } from '../../session/scope.ts'
import { useAuditColumns } from '../audit/audit-columns.tsx'
import { useAuditTexts } from '../audit/audit-texts.ts'
import { RecordDrawer } from '../audit/record-drawer.tsx'
import { nameOf } from './user-queries.ts'

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

/** The audit records of what a user did. */
export const UserActivity = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const records = useActivity(user.id)
  const { ofAction } = useAuditTexts()
  const sayName = (): string => nameOf(user)
  const columns = useAuditColumns(sayName).filter(({ key }) => key !== 'who')
  return (
    <>
      <DataTable
        label={t('users.activity')}
        name="user-activity"
        columns={columns}
        rows={records}
        idOf={({ id }) => id}
        nameOf={({ action }) => ofAction(action)}
        page={search}
        onPage={(page) => void navigate({ search: { tab: 'activity', ...page } })}
        toolbar={
          <Text size="sm" c="dimmed">
            {t('users.activityText')}{' '}
            <TextLink to="/audit" search={{ user_id: user.id }} underline="always">
              {t('users.toAudit')}
            </TextLink>
          </Text>
        }
        empty={{ title: t('users.noActivity') }}
      />
      <RecordDrawer
        id={search.id}
        records={records.isPlaceholderData ? undefined : records.data?.items}
        nameOf={sayName}
        onClose={() =>
          void navigate({ search: (others) => ({ ...others, id: undefined }), resetScroll: false })
        }
      />
    </>
  )
}
