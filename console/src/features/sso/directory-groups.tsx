import { Box, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { DirectoryGroup } from '@tenantry/client'
import { DataTable } from '../../components/data-table.tsx'
import type { Column } from '../../components/table-model.ts'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { useGroups } from './sso.queries.ts'
import { Cut, Numbers } from '../../components/cells.tsx'

const route = getRouteApi('/shell/connections/$connectionId')

const useColumns = (): Column<DirectoryGroup>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      cell: ({ display_name: name }) => <Cut text={name} />,
    },
    {
      key: 'members',
      width: 8,
      header: t('connections.members'),
      cell: ({ members }) => <Numbers>{format.count(members)}</Numbers>,
    },
    {
      key: 'external',
      header: t('connections.externalId'),
      isHidden: true,
      cell: ({ external_id: id }) => <Cut text={id} shown={id || '–'} />,
    },
  ]
}

export const DirectoryGroups = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const groups = useGroups(search)
  return (
    <Box component="section">
      <DataTable
        label={t('connections.directoryGroups')}
        name="directory-groups"
        columns={useColumns()}
        rows={groups}
        idOf={({ id }) => id}
        nameOf={({ display_name: name }) => name}
        page={search}
        toolbar={
          <Title order={2} size="h4">
            {t('connections.directoryGroups')}
          </Title>
        }
        empty={{ title: t('connections.noGroups'), description: t('connections.noGroupsText') }}
      />
    </Box>
  )
}
