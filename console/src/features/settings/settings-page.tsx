import { Button, Tabs, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Setting } from '@tenantry/client'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { SearchInput } from '../../components/search-input.tsx'
import type { Rows } from '../../components/table-model.ts'
import { hasForm, retention } from './known-settings.ts'
import { RetentionForm } from './retention-form.tsx'
import { useSettingColumns } from './setting-columns.tsx'
import type { SettingsSearch } from './settings.routes.ts'
import { useCanWrite, useSettings, type SettingScope } from './use-settings.ts'

const SettingEditor = lazy(async () => ({ default: (await import('./setting-editor.tsx')).SettingEditor }))

const route = getRouteApi('/shell/settings')

export const SettingsPage = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { scope = 'tenant' } = route.useSearch()
  const canWrite = useCanWrite(scope)
  const [isNew, setNew] = useState(false)
  return (
    <>
      <PageHeader
        title={t('settings.title')}
        description={t('settings.description')}
        actions={canWrite && <Button onClick={() => setNew(true)}>{t('settings.create')}</Button>}
      />
      <Tabs
        value={scope}
        onChange={(tab) => void navigate({ search: tab === 'global' ? { scope: tab } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="md" aria-label={t('settings.scopes')}>
          <Tabs.Tab value="tenant">{t('settings.tenant')}</Tabs.Tab>
          <Tabs.Tab value="global">{t('settings.global')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={scope}>
          <SettingList isNew={isNew} onClose={() => setNew(false)} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

interface SettingListProps {
  /** Whether a new one is being written. */
  isNew: boolean
  onClose: () => void
}

/** One page of those found: the service gives all at once. */
const pageOf = (settings: Setting[], { search = '', page = 1, size = defaultPageSize }: SettingsSearch) => {
  const found = settings.filter(({ key }) => key.toLowerCase().includes(search.toLowerCase()))
  const items = found.slice((page - 1) * size, page * size)
  return { items, total: found.length, page, isCapped: false }
}

const SettingList = ({ isNew, onClose }: SettingListProps) => {
  const navigate = route.useNavigate()
  const { scope = 'tenant', key } = route.useSearch()
  const settings = useSettings(scope)
  const all = settings.data ?? []
  const others = all.filter((one) => !hasForm(scope, one.key))
  const open = others.find((one) => one.key === key)
  const close = (): void => {
    onClose()
    void navigate({ search: (rest) => ({ ...rest, key: undefined }), resetScroll: false })
  }
  return (
    <>
      {settings.data && <Head scope={scope} settings={settings.data} />}
      <SettingTable settings={{ ...settings, data: settings.data && others }} />
      <Suspense>
        {(isNew || open) && (
          <SettingEditor
            key={`${scope} ${open?.key}`}
            scope={scope}
            setting={open}
            taken={all.map((one) => one.key)}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

/** What stands above the others: what they are, or those that have a form. */
const Head = ({ scope, settings }: { scope: SettingScope; settings: Setting[] }) => {
  const { t } = useTranslation()
  if (scope === 'tenant') return <RetentionForm setting={settings.find(({ key }) => key === retention.key)} />
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('settings.globalHint')}
    </Text>
  )
}

type Settings = Omit<Rows<Setting>, 'data'> & { data: Setting[] | undefined }

const SettingTable = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const columns = useSettingColumns()
  return (
    <DataTable
      label={t('settings.title')}
      name="settings"
      columns={columns}
      rows={{ ...settings, data: settings.data && pageOf(settings.data, search) }}
      idOf={({ key }) => key}
      nameOf={({ key }) => key}
      page={search}
      onPage={(page) =>
        void navigate({ search: (rest) => ({ ...rest, page: undefined, size: undefined, ...page }) })
      }
      toolbar={<Search />}
      empty={{ title: t(search.search === undefined ? 'settings.none' : 'settings.noneFound') }}
    />
  )
}

const Search = () => {
  const { t } = useTranslation()
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SearchInput
      label={t('settings.search')}
      value={search ?? ''}
      onChange={(text) =>
        void navigate({
          search: (others) => ({ ...others, page: undefined, search: text || undefined }),
          replace: true,
        })
      }
    />
  )
}
