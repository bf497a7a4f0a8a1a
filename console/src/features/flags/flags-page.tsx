import { Badge, Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Flag } from '@tenantry/client'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { FlagSwitch } from './flag-switch.tsx'
import { useFlags } from './flags.queries.ts'
import { placeAction } from '../../components/place-action.tsx'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import { momentColumn } from '../../components/cells.tsx'

const CreateFlagDialog = lazyPart(async () => (await import('./flag-dialogs.views.tsx')).CreateFlagDialog)

const route = getRouteApi('/shell/flags')

const Name = ({ flag: { key, description } }: { flag: Flag }) => (
  <Stack gap={0}>
    <RowLink to="/flags/$flagKey" params={{ flagKey: key }}>
      {key}
    </RowLink>
    {description !== '' && (
      <Text size="xs" c="dimmed" className="cut" title={description}>
        {description}
      </Text>
    )}
  </Stack>
)

const Status = ({ flag }: { flag: Flag }) => {
  const { t } = useTranslation()
  const canManage = useMe().can('flag:manage')
  return (
    <Group gap={4}>
      <FlagSwitch flag={flag} isReadOnly={!canManage} />
      {flag.client_side && (
        <Badge variant="default" tt="none" fw={500}>
          {t('flags.clientSide')}
        </Badge>
      )}
    </Group>
  )
}

const useColumns = (): Column<Flag>[] => {
  const { t } = useTranslation()
  return [
    { key: 'key', header: t('flags.one'), isFixed: true, cell: (flag) => <Name flag={flag} /> },
    {
      key: 'status',
      isClear: true,
      width: 13,
      header: t('fields.status'),
      cell: (flag) => <Status flag={flag} />,
    },
    { key: 'type', width: 7, header: t('flags.type'), cell: ({ type }) => t(`flagTypes.${type}`) },
    { key: 'rules', width: 6, header: t('flags.rules'), cell: ({ rules }) => rules.length },
    { key: 'tenants', width: 7, header: t('flags.tenants'), cell: ({ tenants }) => tenants },
    momentColumn('updated', t('flags.updatedAt'), ({ updated_at: at }) => at),
  ]
}

export const FlagsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const flags = useFlags(search)
  const canManage = useMe().can('flag:manage')
  const { button, opened } = useDialogButton(t('places.createFlag'), (onClose) => (
    <CreateFlagDialog onClose={onClose} />
  ))
  const action = canManage && button
  const { isVacant, inHeader } = placeAction(flags, search.search !== undefined, action)
  return (
    <>
      <PageHeader title={t('places.flags')} description={t('flags.about')} actions={inHeader} />
      <DataTable
        label={t('places.flags')}
        name="flags"
        columns={useColumns()}
        rows={flags}
        news={useNews(['flag'], flags)}
        idOf={({ key }) => key}
        nameOf={({ key }) => key}
        page={search}
        toolbar={<AddressSearch label={t('flags.search')} />}
        empty={
          search.search === undefined
            ? { title: t('flags.none'), description: t('flags.noneText'), action }
            : {
                title: t('flags.noMatch'),
                action: <ClearFilters onClick={() => void navigate({ search: { size: search.size } })} />,
              }
        }
        isVacant={isVacant}
      />
      {opened}
    </>
  )
}
