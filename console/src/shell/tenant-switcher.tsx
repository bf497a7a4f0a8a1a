import {
  Badge,
  Combobox,
  Group,
  Text,
  UnstyledButton,
  useCombobox,
  VisuallyHidden,
  type ComboboxStore,
} from '@mantine/core'
import { IconBuilding, IconSelector } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../session/me.ts'
import { useOwnTenants } from '../session/memberships.ts'
import { useScope } from '../session/scope.ts'
import { TenantOptions, type Enterable } from './tenant-options.tsx'
import { useScopeTenant, useTenantSearch } from './tenants.ts'
import { useSwitch } from './use-switch.ts'

const TenantName = () => {
  const { t } = useTranslation()
  const { name: known, isUnknown, isOwn } = useScopeTenant()
  const name = known ?? (isUnknown ? t('shell.tenantUnknown') : '…')
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      <IconBuilding size={18} stroke={1.75} style={{ flexShrink: 0 }} />
      <Text size="sm" fw={500} className="cut" title={name} maw={200}>
        <VisuallyHidden>{t('fields.tenant')}: </VisuallyHidden>
        {name}
      </Text>
      {!isOwn && (
        <Badge size="sm" color="orange" variant="dot" tt="none" fw={500} visibleFrom="sm">
          {t('shell.otherTenant')}
        </Badge>
      )}
    </Group>
  )
}

/**
 * Always names the tenant in scope. A person of several tenants chooses one of their own here, and callers who may enter
 * others choose any, for the whole console.
 */
export const TenantSwitcher = () => {
  const { can } = useMe()
  const own = useOwnTenants()
  return can('tenant:enter') || own.length > 0 ? <Switcher /> : <TenantName />
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Longer lists are not read; typing finds the rest. */
const optionsMax = 50

/**
 * Any tenant for callers who may enter them; without `tenant:read`, the caller's own and the one whose id is typed.
 */
const useEnterable = (typed: string, isOpen: boolean) => {
  const { t } = useTranslation()
  const { tenant: own, can } = useMe()
  const canEnter = can('tenant:enter')
  const canRead = canEnter && can('tenant:read')
  const { data, error, isPending } = useTenantSearch(typed, optionsMax, isOpen && canRead)
  const tenants = { data: data?.items, error, isPending, total: data?.total }
  if (canRead) return { tenants, hint: t('shell.searchTenants') }
  if (!canEnter) return { tenants: { data: [], error: null }, hint: t('shell.searchTenants') }
  const id = typed.trim().toLowerCase()
  const found: Enterable[] = uuid.test(id) ? [{ id, name: id, slug: '', status: 1 }] : [own]
  return { tenants: { data: found, error: null }, hint: t('shell.typeTenant') }
}

/** The person's own tenants, and a function that switches to one of them or enters another one. */
const useChoice = () => {
  const navigate = useNavigate()
  const { tenant: home } = useMe()
  const { tenantId } = useScope()
  const { own, needsSwitch, switchTo } = useSwitch()
  // A page with an id in its path belongs only to this tenant, so another tenant leads to the list above it.
  const isDetail = Object.keys(useParams({ strict: false })).length > 0
  const goTo = (id: string): void => {
    if (id === tenantId) return
    if (needsSwitch(id)) return void switchTo(id)
    void navigate({
      to: isDetail ? '..' : '.',
      search: id === home.id ? { tenant: undefined } : { tenant: id },
    })
  }
  return { own, goTo }
}

/** Enter opens the first hit. Before the user types, that is the tenant in scope. */
const useFirstOption = (combobox: ComboboxStore, search: string, options: number): void => {
  const { dropdownOpened, selectFirstOption, selectActiveOption } = combobox
  useEffect(() => {
    if (!dropdownOpened || options === 0) return
    if (search === '') selectActiveOption()
    else selectFirstOption()
  }, [dropdownOpened, options, search, selectFirstOption, selectActiveOption])
}

const Switcher = () => {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: (source) => {
      setSearch('')
      // A click elsewhere puts the focus there.
      if (source === 'keyboard') combobox.focusTarget()
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const { own, goTo } = useChoice()
  const { tenants, hint } = useEnterable(search, combobox.dropdownOpened)
  useFirstOption(combobox, search, own.length + (tenants.data?.length ?? 0))
  const choose = (id: string): void => {
    combobox.closeDropdown()
    combobox.focusTarget()
    goTo(id)
  }
  return (
    <Combobox store={combobox} width={320} position="bottom-start" onOptionSubmit={choose} withinPortal>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <UnstyledButton
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
          title={t('shell.switchTenant')}
          className="switcher"
        >
          <TenantName />
          <IconSelector size={16} style={{ flexShrink: 0 }} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={hint}
          aria-label={hint}
        />
        <TenantOptions own={own} tenants={tenants} search={search} />
      </Combobox.Dropdown>
    </Combobox>
  )
}
