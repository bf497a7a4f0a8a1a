import { Button, Tabs, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { pageOf } from '../../components/page-search.ts'
import { SearchInput } from '../../components/search-input.tsx'
import type { Rows } from '../../components/table-model.ts'
import { usePageChange } from '../../components/use-page-change.ts'
import { useNews } from '../../components/list-news.tsx'
import { hasForm, retention, secondFactor } from './known-settings.ts'
import { RetentionForm } from './retention-form.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'
import { useSettingColumns } from './setting-columns.tsx'
import type { SettingsSearch } from './settings.search.ts'
import { useCanWrite, useSettings, type SettingScope } from './settings.queries.ts'

const SettingEditor = lazyPart(async () => (await import('./setting-editor.tsx')).SettingEditor)

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
        title={t('places.settings')}
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
  /** Whether the editor holds a new setting. */
  isNew: boolean
  onClose: () => void
}

/** One page of the matching settings; the service does not page them. */
const foundOf = (settings: Setting[], { search = '', ...page }: SettingsSearch) => {
  const sought = search.toLowerCase()
  return pageOf(
    settings.filter(({ key }) => key.toLowerCase().includes(sought)),
    page,
  )
}

/** The setting with this key. It stays open after another user deletes it, because the caller may be editing it. */
const useOpened = (settings: Setting[], key: string | undefined): Setting | undefined => {
  const found = settings.find((one) => one.key === key)
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  return found ?? (last?.key === key ? last : undefined)
}

const SettingList = ({ isNew, onClose }: SettingListProps) => {
  const navigate = route.useNavigate()
  const { scope = 'tenant', key } = route.useSearch()
  const settings = useSettings(scope)
  const all = settings.data ?? []
  const others = all.filter((one) => !hasForm(scope, one.key))
  const open = useOpened(others, key)
  const close = (): void => {
    onClose()
    // The dialog has asked already.
    void navigate({
      search: (rest) => ({ ...rest, key: undefined }),
      resetScroll: false,
      ignoreBlocker: true,
    })
  }
  return (
    <>
      {settings.data && <Head scope={scope} settings={settings.data} />}
      <SettingTable settings={{ ...settings, data: settings.data && others }} />
      {(isNew || open) && (
        <SettingEditor
          key={`${scope} ${open?.key}`}
          scope={scope}
          setting={open}
          taken={all.map((one) => one.key)}
          onClose={close}
        />
      )}
    </>
  )
}

/** Explains the scope, and holds the settings that have a form. */
const Head = ({ scope, settings }: { scope: SettingScope; settings: Setting[] }) => {
  const { t } = useTranslation()
  const settingOf = (name: string) => settings.find(({ key }) => key === name)
  if (scope === 'tenant') {
    return (
      <>
        <Text size="sm" c="dimmed" mb="sm">
          {t('settingTexts.tenant')}
        </Text>
        <SecondFactorForm setting={settingOf(secondFactor.key)} />
        <RetentionForm setting={settingOf(retention.key)} />
      </>
    )
  }
  return (
    <Text size="sm" c="dimmed" mb="sm">
      {t('settings.globalHint')} {t('settingTexts.global')}
    </Text>
  )
}

interface Settings extends Omit<Rows<Setting>, 'data'> {
  data: Setting[] | undefined
  dataUpdatedAt: number
}

const SettingTable = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const columns = useSettingColumns()
  return (
    <DataTable
      label={t('places.settings')}
      name="settings"
      columns={columns}
      rows={{ ...settings, data: settings.data && foundOf(settings.data, search) }}
      news={useNews(['setting'], settings)}
      idOf={({ key }) => key}
      nameOf={({ key }) => key}
      page={search}
      onPage={usePageChange()}
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
