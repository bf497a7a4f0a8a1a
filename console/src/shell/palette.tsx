import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconBuilding, IconSearch, IconShieldCheck, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUserSearch } from '../components/use-user-search.ts'
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
const useFoundRoles = (text: string) => {
  const query = useRolesQuery()
  const { data = [] } = useQuery({ ...query, enabled: query.enabled === true && text !== '' })
  const sought = text.toLowerCase()
  return text === '' ? [] : data.filter(({ name }) => name.toLowerCase().includes(sought)).slice(0, foundMax)
}

const useTenants = (text: string) => {
  const { isPlatformAdmin } = useMe()
  const { data } = useQuery({ ...tenantsQuery, enabled: isPlatformAdmin && text !== '' })
  return text === '' ? [] : findTenants(data ?? [], text, foundMax)
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
        <Found text={typed.trim()} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

const Found = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const counts = [usePlaces(text), useUserSearch(text, foundMax), useFoundRoles(text), useTenants(text)].map(
    ({ length }) => length,
  )
  if (counts.every((count) => count === 0)) return <Spotlight.Empty>{t('shell.nothing')}</Spotlight.Empty>
  return (
    <>
      <FoundPlaces text={text} />
      <FoundUsers text={text} />
      <FoundRoles text={text} />
      <FoundTenants text={text} />
    </>
  )
}

const FoundPlaces = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('shell.pages')}>
      {usePlaces(text).map(({ to, label, icon: Icon }) => (
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

const FoundUsers = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('users.title')}>
      {useUserSearch(text, foundMax).map(({ id, username, nickname, email }) => (
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

const FoundRoles = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Spotlight.ActionsGroup label={t('roles.title')}>
      {useFoundRoles(text).map(({ id, name, description }) => (
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

const FoundTenants = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { tenant: own } = useMe()
  return (
    <Spotlight.ActionsGroup label={t('shell.tenants')}>
      {useTenants(text).map(({ id, name, slug }) => (
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
