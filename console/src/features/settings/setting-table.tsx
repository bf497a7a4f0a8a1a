import { Code, Skeleton, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Setting } from '@tenantry/client'
import { Ago } from '../../components/ago.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { HelpLink } from '../../components/help-link.tsx'
import { useNews } from '../../components/list-news.tsx'
import { pageOf } from '../../components/page-search.ts'
import { AddressSearch } from '../../components/search-input.tsx'
import type { Column, Rows } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import type { SettingScope } from './known-settings.ts'
import { useSettings } from './settings.queries.ts'
import type { SettingsSearch } from './settings.search.ts'

const route = getRouteApi('/shell/settings')

/** Longer previews do not fit the table. */
const previewMax = 120

const previewOf = (value: unknown): string => isolated(JSON.stringify(value).slice(0, previewMax))

const Value = ({ value }: { value: unknown }) => (
  <Code className="cut" display="block" bg="none" p={0}>
    {previewOf(value)}
  </Code>
)

const Key = ({ name, isInherited }: { name: string; isInherited: boolean }) => {
  const { t } = useTranslation()
  return (
    <RowLink
      to="/settings"
      search={(others) => ({ ...others, key: name, ...(isInherited && { scope: 'global' as const }) })}
      resetScroll={false}
      aria-label={t('settings.open', { key: name })}
    >
      {name}
    </RowLink>
  )
}

const useSettingColumns = (scope: SettingScope, inherited: Setting[]): Column<Setting>[] => {
  const { t } = useTranslation()
  const { data: shared = [] } = useSettings('global')
  const globalOf = new Map(scope === 'tenant' ? shared.map((one) => [one.key, one.value] as const) : [])
  return [
    {
      key: 'key',
      header: t('settings.key'),
      isFixed: true,
      cell: (one) => <Key name={one.key} isInherited={inherited.includes(one)} />,
    },
    {
      key: 'value',
      header: t('settings.any'),
      cell: (one) => (
        <>
          <Value value={one.value} />
          {globalOf.has(one.key) && (
            <Text size="xs" c="dimmed" className="cut">
              {inherited.includes(one)
                ? t('settings.inherited')
                : `${t('settings.globalValue')} ${previewOf(globalOf.get(one.key))}`}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'updated',
      width: 9,
      header: t('settings.updated'),
      cell: ({ updated_at }) => <Ago at={updated_at} />,
    },
  ]
}

/** One page of the matching settings, because the service returns all of them at once. */
const foundOf = (settings: Setting[], { search = '', ...page }: SettingsSearch) => {
  const sought = search.toLowerCase()
  return pageOf(
    settings.filter(({ key }) => key.toLowerCase().includes(sought)),
    page,
  )
}

interface Settings extends Omit<Rows<Setting>, 'data'> {
  data: Setting[] | undefined
  dataUpdatedAt: number
  isPending: boolean
}

interface SettingTableProps {
  scope: SettingScope
  settings: Settings
  /** Those of the settings that all tenants have. */
  inherited: Setting[]
  /** The readers of the settings. */
  hint: string
}

export const SettingTable = ({ scope, settings, inherited, hint }: SettingTableProps) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const columns = useSettingColumns(scope, inherited)
  const news = useNews(['setting'], settings)
  // Forms of settings appear above the table. If they came later, they would push it down.
  if (settings.isPending) return <Skeleton height={480} />
  const isVacant = search.search === undefined && settings.data?.length === 0
  return (
    <>
      {!isVacant && (
        <Text size="sm" c="dimmed" my="sm">
          {hint}
        </Text>
      )}
      <DataTable
        label={t('places.settings')}
        name="settings"
        columns={columns}
        rows={{ ...settings, data: settings.data && foundOf(settings.data, search) }}
        news={news}
        idOf={({ key }) => key}
        nameOf={({ key }) => key}
        page={search}
        toolbar={<AddressSearch label={t('settings.search')} maxLength={128} />}
        empty={
          search.search === undefined
            ? { title: t('settings.none'), description: hint, action: <HelpLink to="settings" /> }
            : {
                title: t('settings.noneFound'),
                action: (
                  <ClearFilters onClick={() => void navigate({ search: { ...search, search: undefined } })} />
                ),
              }
        }
        isVacant={isVacant}
      />
    </>
  )
}
