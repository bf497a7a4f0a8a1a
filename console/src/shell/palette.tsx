import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import {
  IconBuilding,
  IconKeyboard,
  IconLogout,
  IconMail,
  IconSearch,
  IconShieldCheck,
  IconUser,
  IconUserPlus,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Role, Tenant, User } from '@tenantry/client'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchState, useUserSearch, type Found } from '../components/use-user-search.ts'
import { useRolesQuery } from '../features/roles/roles.queries.ts'
import { useLackingFor } from '../features/webhooks/webhooks.queries.ts'
import { nameOf } from '../format.ts'
import { useMe } from '../session/me.ts'
import { isOpen, useOwnTenants } from '../session/memberships.ts'
import { askAndSignOut } from './ask-and-sign-out.ts'
import { ownPlaces, places } from './places.ts'
import { findTenants, useTenantSearch } from './tenants.ts'
import { useSwitch } from './use-switch.ts'
import type { WindowName } from './windows.tsx'

const foundMax = 6

const [store, spotlight] = createSpotlight()

type TenantName = Pick<Tenant, 'id' | 'name' | 'slug'>

const usePlaces = (text: string) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const sought = text.toLowerCase()
  return [...places.filter(({ needs }) => can(needs)), ...ownPlaces]
    .map(({ to, title, icon }) => ({ to, icon, label: t(title) }))
    .filter(({ label }) => label.toLowerCase().includes(sought))
}

/** Each action of the palette, for callers with its permission. */
const useActions = (text: string, onWindow: PaletteProps['onWindow']) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const canCreateWebhook = useLackingFor()({ all_tenants: false }).length === 0
  const sought = text.toLowerCase()
  return [
    ...(can('user:create')
      ? [
          { label: t('places.createUser'), icon: IconUserPlus, run: () => onWindow('createUser') },
          { label: t('places.invite'), icon: IconMail, run: () => onWindow('invite') },
        ]
      : []),
    ...(canCreateWebhook
      ? [{ label: t('places.createWebhook'), icon: IconWebhook, run: () => onWindow('createWebhook') }]
      : []),
    { label: t('shell.shortcuts'), icon: IconKeyboard, run: () => onWindow('shortcuts') },
    { label: t('shell.signOut'), icon: IconLogout, run: () => void askAndSignOut() },
  ].filter(({ label }) => label.toLowerCase().includes(sought))
}

/** Loads the roles when the user types the first letter, and searches them here: a tenant has at most 1000. */
const useFoundRoles = (text: string): Found<Role> => {
  const query = useRolesQuery()
  const {
    data = [],
    error,
    isFetching,
  } = useQuery({
    ...query,
    enabled: query.enabled === true && text !== '',
  })
  const sought = text.toLowerCase()
  const items = data.filter(({ name }) => name.toLowerCase().includes(sought)).slice(0, foundMax)
  return { items: text === '' ? [] : items, isPending: isFetching, error }
}

/** The person's own tenants, to which they switch, and those that they may enter besides. */
const useFoundTenants = (text: string): Found<TenantName> => {
  const { can } = useMe()
  const own = useOwnTenants().filter(isOpen)
  const isSought = can('tenant:enter') && can('tenant:read') && text !== ''
  const { data, error, isPending } = useTenantSearch(text, foundMax, isSought)
  const mine = own.map(({ tenant }) => tenant)
  // The list can be there without the permission to enter: it is on a page of its own.
  const others = isSought ? (data?.items ?? []).filter(({ id }) => !mine.some((one) => one.id === id)) : []
  const items = text === '' ? [] : findTenants<TenantName>([...mine, ...others], text).slice(0, foundMax)
  return { items, isPending, error }
}

const useFound = (text: string, onWindow: PaletteProps['onWindow']) => {
  const { t } = useTranslation()
  const stateOf = useSearchState()
  const found = {
    places: usePlaces(text),
    actions: useActions(text, onWindow),
    users: useUserSearch(text, foundMax),
    roles: useFoundRoles(text),
    tenants: useFoundTenants(text),
  }
  const asked = [found.users, found.roles, found.tenants]
  const isEmpty =
    found.places.length + found.actions.length === 0 && asked.every(({ items }) => items.length === 0)
  const whole = {
    isPending: asked.some(({ isPending }) => isPending),
    error: asked.find(({ error }) => error)?.error,
  }
  return { ...found, said: stateOf(whole, isEmpty ? t('shell.nothing') : undefined) }
}

interface PaletteProps {
  onWindow: (name: WindowName) => void
}

/** Finds pages, actions, users, roles and tenants by typing (Ctrl/⌘ K). Opens when it is mounted. */
export const Palette = ({ onWindow }: PaletteProps) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      shortcut={null}
      scrollable
      maxHeight={420}
      clearQueryOnClose
      attributes={{ content: { 'aria-label': t('shell.search') } }}
    >
      <Spotlight.Search
        placeholder={t('shell.searchHint')}
        aria-label={t('shell.search')}
        leftSection={<IconSearch size={20} stroke={1.5} />}
      />
      <Spotlight.ActionsList>
        <FoundAll text={typed.trim()} onWindow={onWindow} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Mantine's store offers no selection by itself. Its Enter key clicks the hit with this attribute. */
const mark = 'data-selected'

const selectFirst = (): void => {
  const [first, ...others] = document.querySelectorAll('[data-action]')
  for (const other of others) other.removeAttribute(mark)
  first?.setAttribute(mark, 'true')
  store.updateState((state) => ({ ...state, selected: first ? 0 : -1 }))
}

/** Enter opens the first hit, also if it comes later, unless the user has chosen another one. */
const useFirstHit = (text: string, hits: number): void => {
  const searched = useRef<string>(undefined)
  useEffect(() => {
    const isChosen = document.querySelector(`[data-action][${mark}]`) !== null
    if (hits === 0 || (isChosen && searched.current === text)) return undefined
    searched.current = text
    // Mantine selects a hit itself a moment after the text changes.
    const timer = setTimeout(selectFirst)
    return () => clearTimeout(timer)
  }, [text, hits])
}

const FoundAll = ({ text, onWindow }: PaletteProps & { text: string }) => {
  const { places: pages, actions, users, roles, tenants, said } = useFound(text, onWindow)
  const lists = [pages, actions, users.items, roles.items, tenants.items]
  useFirstHit(text, lists.flat().length)
  return (
    <>
      <FoundPlaces places={pages} />
      <FoundActions actions={actions} />
      <FoundUsers users={users.items} />
      <FoundRoles roles={roles.items} />
      <FoundTenants tenants={tenants.items} />
      {said !== undefined && <Spotlight.Empty role="status">{said}</Spotlight.Empty>}
    </>
  )
}

const FoundPlaces = ({ places: pages }: { places: ReturnType<typeof usePlaces> }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('shell.pages')}>
      {pages.map(({ to, label, icon: Icon }) => (
        <Spotlight.Action
          key={to}
          label={label}
          leftSection={<Icon size={20} stroke={1.5} />}
          onClick={() => void navigate({ to })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const FoundActions = ({ actions }: { actions: ReturnType<typeof useActions> }) => {
  const { t } = useTranslation()
  return (
    <Spotlight.ActionsGroup label={t('shell.actions')}>
      {actions.map(({ label, icon: Icon, run }) => (
        <Spotlight.Action
          key={label}
          label={label}
          leftSection={<Icon size={20} stroke={1.5} />}
          onClick={run}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const FoundUsers = ({ users }: { users: User[] }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('places.users')}>
      {users.map((user) => (
        <Spotlight.Action
          key={user.id}
          label={nameOf(user)}
          description={user.email}
          leftSection={<IconUser size={20} stroke={1.5} />}
          onClick={() => void navigate({ to: '/users/$userId', params: { userId: String(user.id) } })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const FoundRoles = ({ roles }: { roles: Role[] }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('places.roles')}>
      {roles.map(({ id, name, description }) => (
        <Spotlight.Action
          key={id}
          label={name}
          description={description}
          leftSection={<IconShieldCheck size={20} stroke={1.5} />}
          onClick={() => void navigate({ to: '/roles/$roleId', params: { roleId: String(id) } })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const FoundTenants = ({ tenants }: { tenants: TenantName[] }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { tenant: own } = useMe()
  const { needsSwitch, switchTo } = useSwitch()
  const enter = (id: string) => navigate({ to: '/', search: { tenant: id === own.id ? undefined : id } })
  return (
    <Spotlight.ActionsGroup label={t('shell.tenants')}>
      {tenants.map(({ id, name, slug }) => (
        <Spotlight.Action
          key={id}
          label={name}
          description={slug}
          leftSection={<IconBuilding size={20} stroke={1.5} />}
          onClick={() => void (needsSwitch(id) ? switchTo(id) : enter(id))}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
