import { getRouteApi } from '@tanstack/react-router'
import type { Setting } from '@tenantry/client'
import { useState } from 'react'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { TenantAttributes } from '../attributes/attributes.views.tsx'
import { DeclaredList } from './declared-list.tsx'
import { hasForm, type SettingScope } from './known-settings.ts'
import { SettingTable } from './setting-table.tsx'
import { useCanWrite, useDefinitions, useSettings } from './settings.queries.ts'

const SettingEditor = lazyPart(async () => (await import('./setting-editor.tsx')).SettingEditor)

const DeclaredEditor = lazyPart(async () => (await import('./declared-editor.tsx')).DeclaredEditor)

const route = getRouteApi('/shell/settings')

interface ProductSectionProps {
  scope: SettingScope
  /** True if the editor holds a new setting. */
  isNew: boolean
  onClose: () => void
}

/** The setting with this key. If another user deletes it, it stays open, because the caller may be editing it. */
const useOpened = (settings: Setting[], key: string | undefined): Setting | undefined => {
  const found = settings.find((one) => one.key === key)
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  return found ?? (last?.key === key ? last : undefined)
}

/** The settings of all tenants that no form of the tenant shows, and that it has no value for. */
const useInherited = (scope: SettingScope, own: Setting[]): Setting[] => {
  const { data: shared = [] } = useSettings('global')
  const { data: declared = [] } = useDefinitions()
  if (scope === 'global') return []
  const hidden = new Set(
    declared.filter((one) => one.secret || one.scopes.includes(scope)).map(({ key }) => key),
  )
  for (const { key } of own) hidden.add(key)
  return shared.filter(({ key }) => !hasForm('global', key) && !hasForm('tenant', key) && !hidden.has(key))
}

/** The declared settings of a scope, and the others. */
const useRows = (scope: SettingScope) => {
  const { key } = route.useSearch()
  const settings = useSettings(scope)
  const { data: declared = [] } = useDefinitions()
  const all = settings.data ?? []
  const definitions = declared.filter(({ scopes }) => scopes.includes(scope))
  const keys = new Set(definitions.map((one) => one.key))
  const others = all.filter((one) => !hasForm(scope, one.key) && !keys.has(one.key))
  const inherited = useInherited(scope, all)
  // Writers of settings of all tenants open them there.
  const openable = useCanWrite('global') ? others : [...others, ...inherited]
  const open = useOpened(openable, key)
  return {
    scope: open && inherited.includes(open) ? 'global' : scope,
    settings,
    all,
    definitions,
    others,
    inherited,
    definition: definitions.find((one) => one.key === key),
    open,
  } as const
}

export const ProductSection = ({ scope, isNew, onClose }: ProductSectionProps) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { tenantId } = useScope()
  const rows = useRows(scope)
  const { settings, all, definitions, others, inherited } = rows
  const close = (): void => {
    onClose()
    // The dialog has already asked about unsaved text.
    void navigate({
      search: (rest) => ({ ...rest, key: undefined }),
      resetScroll: false,
      ignoreBlocker: true,
    })
  }
  return (
    <>
      {settings.data && <DeclaredList scope={scope} definitions={definitions} stored={all} />}
      <SettingTable
        scope={scope}
        settings={{ ...settings, data: settings.data && [...others, ...inherited] }}
        inherited={inherited}
        hint={t(scope === 'global' ? 'settings.globalHint' : 'settings.readers')}
      />
      {scope === 'tenant' && <TenantAttributes id={tenantId} />}
      <Opened {...rows} isNew={isNew} onClose={close} />
    </>
  )
}

type OpenedProps = Omit<ReturnType<typeof useRows>, 'scope'> & ProductSectionProps

const Opened = ({ scope, all, definition, open, isNew, onClose }: OpenedProps) => {
  if (definition && !isNew) {
    return (
      <DeclaredEditor
        key={`${scope} ${definition.key}`}
        scope={scope}
        definition={definition}
        stored={all.find((one) => one.key === definition.key)}
        onClose={onClose}
      />
    )
  }
  if (!isNew && !open) return null
  return (
    <SettingEditor
      key={`${scope} ${open?.key}`}
      scope={scope}
      setting={open}
      taken={all.map((one) => one.key)}
      onClose={onClose}
    />
  )
}
