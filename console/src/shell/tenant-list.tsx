import { Combobox, Group, Stack, Text, useCombobox, type ComboboxStore } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Membership, Tenant } from '@tenantry/client'
import { cloneElement, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useErrorText } from '../components/error-text.ts'
import type { PopupButton } from '../components/lazy-popup.tsx'
import { useFormat } from '../format.ts'
import { isOpenMembership, useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'
import { useTranslation } from '../translation.ts'
import { findTenants, useTenantSearch } from './tenants.ts'
import { useSwitch } from './use-switch.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The most options. Users do not read a longer list, but find other tenants by typing. */
const optionsMax = 50

/**
 * All tenants, for callers who may enter them. Without `tenant:read`, the caller's own tenants, and the tenant whose id
 * the caller types.
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

/** The person's own tenants, and a function that switches to one of them or enters another tenant. */
const useChoice = () => {
  const navigate = useNavigate()
  const { tenant: home } = useMe()
  const { tenantId } = useScope()
  const { own, needsSwitch, switchTo } = useSwitch()
  // A page with an id in its path belongs to this tenant only. In another tenant, the list that contains it opens.
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

/** Enter opens the first hit. Before the user types, the first hit is the tenant in scope. */
const useFirstOption = (combobox: ComboboxStore, search: string, options: number): void => {
  const { dropdownOpened, selectFirstOption, selectActiveOption } = combobox
  useEffect(() => {
    if (!dropdownOpened || options === 0) return
    if (search === '') selectActiveOption()
    else selectFirstOption()
  }, [dropdownOpened, options, search, selectFirstOption, selectActiveOption])
}

/** The list of tenants below its button; opens when mounted. */
export const TenantList = ({ children }: { children: PopupButton }) => {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: (source) => {
      setSearch('')
      // A click on another element moves the focus there.
      if (source === 'keyboard') combobox.focusTarget()
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const button = useRef<HTMLButtonElement>(null)
  const begin = useEffectEvent(() => {
    // The button was replaced, as in popup-menu.tsx.
    button.current?.focus()
    combobox.openDropdown()
  })
  useEffect(() => begin(), [])
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
        {cloneElement(children, {
          ref: button,
          'aria-haspopup': 'listbox',
          'aria-expanded': combobox.dropdownOpened,
          onClick: () => combobox.toggleDropdown(),
        })}
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

type Enterable = Pick<Tenant, 'id' | 'name' | 'slug' | 'status'>

interface TenantOptionsProps {
  /** The person's own tenants, which the person can switch to. */
  own: Membership[]
  /** Other tenants that the person may enter. */
  tenants: { data: Enterable[] | undefined; error: unknown; isPending?: boolean; total?: number | undefined }
  search: string
}

const find = ({ own, tenants: { data = [] }, search }: TenantOptionsProps) => {
  const mine = own.map((one) => ({ ...one.tenant, isClosed: !isOpenMembership(one) }))
  const others = data.filter(({ id }) => !mine.some((one) => one.id === id))
  return { mine: findTenants(mine, search), others: findTenants(others, search) }
}

const TenantOptions = (props: TenantOptionsProps) => {
  const { t } = useTranslation()
  const { data, error, isPending, total } = props.tenants
  const { mine, others } = find(props)
  const isEmpty = mine.length + others.length === 0
  return (
    <>
      {!isEmpty && (
        <Combobox.Options
          aria-label={t('shell.switchTenant')}
          tabIndex={0}
          mah={320}
          style={{ overflowY: 'auto' }}
        >
          <TenantGroup label={t('shell.ownTenants')} tenants={mine} />
          <TenantGroup label={props.own.length > 0 ? t('shell.otherTenants') : ''} tenants={others} />
        </Combobox.Options>
      )}
      {!data && <Missing error={error} />}
      {data && isEmpty && <NoneFound isPending={isPending} />}
      {data && <More shown={data.length} total={total} />}
    </>
  )
}

const NoneFound = ({ isPending }: { isPending: boolean | undefined }) => {
  const { t } = useTranslation()
  return <Combobox.Empty>{t(isPending ? 'common.loading' : 'shell.noTenant')}</Combobox.Empty>
}

const Missing = ({ error }: { error: unknown }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return <Combobox.Empty>{error ? textOf(error) : t('common.loading')}</Combobox.Empty>
}

interface Choice extends Enterable {
  /** True if the tenant cannot be chosen, because the person or the tenant is disabled. */
  isClosed?: boolean
}

const TenantGroup = ({ label, tenants }: { label: string; tenants: Choice[] }) =>
  tenants.length > 0 && (
    <Combobox.Group label={label}>
      {tenants.map((tenant) => (
        <TenantOption key={tenant.id} tenant={tenant} />
      ))}
    </Combobox.Group>
  )

const More = ({ shown, total = 0 }: { shown: number; total: number | undefined }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (total <= shown) return null
  return (
    <Combobox.Footer>
      <Text size="xs" c="dimmed">
        {t('shell.moreTenants', { shown, total: format.count(total) })}
      </Text>
    </Combobox.Footer>
  )
}

const TenantOption = ({ tenant: { id, name, slug, status, isClosed = false } }: { tenant: Choice }) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  return (
    <Combobox.Option value={id} active={id === tenantId} aria-current={id === tenantId} disabled={isClosed}>
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text size="sm" className="cut" title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {slug}
            {(isClosed || status === 0) && ` · ${t('common.disabled')}`}
          </Text>
        </Stack>
        {id === tenantId && <IconCheck size={16} />}
      </Group>
    </Combobox.Option>
  )
}
