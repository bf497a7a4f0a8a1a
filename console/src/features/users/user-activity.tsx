import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { TextLink } from '../../components/text-link.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { useAuditColumns } from '../audit/audit-columns.tsx'
import { useAuditTexts } from '../audit/audit-texts.ts'
import { RecordDrawer } from '../audit/record-drawer.tsx'
import { useRecords } from '../audit/use-records.ts'
import { nameOf } from './user-queries.ts'

const route = getRouteApi('/shell/users/$userId')

/** The audit records of what a user did. */
export const UserActivity = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const records = useRecords({
    user_id: user.id,
    page: search.page,
    page_size: search.size ?? defaultPageSize,
  })
  const { ofAction } = useAuditTexts()
  const columns = useAuditColumns(() => nameOf(user)).filter(({ key }) => key !== 'who')
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
        onPage={usePageChange()}
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
        onClose={() =>
          void navigate({ search: (others) => ({ ...others, id: undefined }), resetScroll: false })
        }
      />
    </>
  )
}
