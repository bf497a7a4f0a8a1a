import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconBuilding, IconSearch, IconShieldCheck, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Role, Tenant, User } from '@tenantry/client'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchState, useUserSearch, type Found } from '../components/use-user-search.ts'
import { useMe } from '../session/me.ts'
import { useRolesQuery } from '../features/users/user-queries.ts'
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

/** Asked with the first letter typed, and found in what is there: a tenant has at most 1000. */
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
  const { isPlatformAdmin } = useMe()
  const { data, error, isFetching } = useQuery({
    ...tenantsQuery,
    enabled: isPlatformAdmin && text !== '',
  })
  return { items: text === '' ? [] : findTenants(data ?? [], text, foundMax), isPending: isFetching, error }
}

/** All that a text finds, and what is to be said about it below. */
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

/** Finds pages, users, roles and tenants by typing (Ctrl/⌘ K). Opens as it is put on the page. */
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
    <Spotlight.ActionsGroup label={t('users.title')}>
      {users.map(({ id, username, nickname, email }) => (
        <Spotlight.Action
          key={id}
          label={nickname || username}
          description={email}
          leftSection={<IconUser size={20} stroke={1.5} />}
          onClick={() => void navigate({ to: '/users/$userId', params: { userId: String(id) } })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

const FoundRoles = ({ roles }: { roles: Role[] }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('roles.title')}>
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
