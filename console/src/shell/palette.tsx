import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconBuilding, IconSearch, IconShieldCheck, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Role, Tenant, User } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchState, useUserSearch, type Found } from '../components/use-user-search.ts'
import { useRolesQuery } from '../features/roles/roles.queries.ts'
import { nameOf } from '../format.ts'
import { useMe } from '../session/me.ts'
import { ownPlaces, places } from './places.ts'
import { findTenants, tenantsQuery } from './tenants.ts'

const foundMax = 6

const usePlaces = (text: string) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const sought = text.toLowerCase()
  return [...places.filter(({ needs }) => can(needs)), ...ownPlaces]
    .map(({ to, title, icon }) => ({ to, icon, label: t(title) }))
    .filter(({ label }) => label.toLowerCase().includes(sought))
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

const useFoundTenants = (text: string): Found<Tenant> => {
  const { can } = useMe()
  const isSought = can('tenant:enter') && can('tenant:read') && text !== ''
  const { data, error, isFetching } = useQuery({
    ...tenantsQuery,
    enabled: isSought,
  })
  // The list can be there without the permission to enter: it is on a page of its own.
  return { items: isSought ? findTenants(data ?? [], text, foundMax) : [], isPending: isFetching, error }
}

const useFound = (text: string) => {
  const { t } = useTranslation()
  const stateOf = useSearchState()
  const found = {
    places: usePlaces(text),
    users: useUserSearch(text, foundMax),
    roles: useFoundRoles(text),
    tenants: useFoundTenants(text),
  }
  const asked = [found.users, found.roles, found.tenants]
  const isEmpty = found.places.length === 0 && asked.every(({ items }) => items.length === 0)
  const whole = {
    isPending: asked.some(({ isPending }) => isPending),
    error: asked.find(({ error }) => error)?.error,
  }
  return { ...found, said: stateOf(whole, isEmpty ? t('shell.nothing') : undefined) }
}

/** Finds pages, users, roles and tenants by typing (Ctrl/⌘ K). Opens when it is mounted. */
export const Palette = () => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  useEffect(() => spotlight.open(), [])
  return (
    <Spotlight.Root
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
        <FoundAll text={typed.trim()} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

const FoundAll = ({ text }: { text: string }) => {
  const { places: pages, users, roles, tenants, said } = useFound(text)
  return (
    <>
      <FoundPlaces places={pages} />
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

const FoundTenants = ({ tenants }: { tenants: Tenant[] }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { tenant: own } = useMe()
  return (
    <Spotlight.ActionsGroup label={t('shell.tenants')}>
      {tenants.map(({ id, name, slug }) => (
        <Spotlight.Action
          key={id}
          label={name}
          description={slug}
          leftSection={<IconBuilding size={20} stroke={1.5} />}
          onClick={() => void navigate({ to: '/', search: { tenant: id === own.id ? undefined : id } })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
