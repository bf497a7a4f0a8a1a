import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { FilterPill } from '../../components/filter-pill.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { useSearchState, useUserSearch } from '../../components/use-user-search.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { ActionFilter, FilterSelect, TimeFilter, type FilterOption } from './filter-inputs.tsx'
import { useActorName } from './audit.queries.ts'
import type { AuditFilters } from './audit.search.ts'
import { useAuditTexts } from './audit.texts.ts'

const route = getRouteApi('/shell/audit')

const usersMax = 10
const namedUsersMax = 3

interface FilterProps<T> {
  value: T | undefined
  onChange: (value: T | undefined) => void
}

interface UserFilterProps extends FilterProps<number> {
  label: string
  placeholder: string
}

/** Callers with `user:read` can choose by name. Anybody can type a number, also that of a deleted user. */
const UserFilter = ({ label, placeholder, value, onChange }: UserFilterProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [typed, setTyped] = useState('')
  const numbers = /^\d{1,15}$/.test(typed) ? [Number(typed)] : []
  const name = useActorName(value)
  const optionOf = (id: number): FilterOption => ({
    value: String(id),
    label: id === value ? name : t('common.userNumber', { id }),
    hint: '',
  })
  const users = useUserSearch(typed, usersMax)
  const stateOf = useSearchState()
  const found = users.items.map((user) => ({
    value: String(user.id),
    label: nameOf(user),
    hint: user.email,
  }))
  const others = numbers.map(optionOf).filter((one) => found.every((user) => user.value !== one.value))
  const hint = t(can('user:read') ? 'auditLog.typeUser' : 'auditLog.typeUserNumber')
  return (
    <FilterSelect
      label={label}
      placeholder={placeholder}
      value={value === undefined ? undefined : optionOf(value)}
      options={[...found, ...others]}
      onSearch={setTyped}
      onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
      nothingFound={typed === '' || !can('user:read') ? hint : stateOf(users, t('auditLog.noSuchUser'))}
    />
  )
}

interface CodeFilterProps extends FilterProps<string> {
  label: string
  placeholder: string
  known: string[]
  textOf: (code: string) => string
}

/** Offers known codes by text or code. The user can type any other code. */
const CodeFilter = ({ label, placeholder, known, textOf, value, onChange }: CodeFilterProps) => {
  const [typed, setTyped] = useState('')
  const sought = typed.trim().toLowerCase()
  const found = known.filter((code) => code.includes(sought) || textOf(code).toLowerCase().includes(sought))
  const codes = found.length === 0 && sought !== '' ? [typed.trim()] : found
  const optionOf = (code: string): FilterOption => ({
    value: code,
    label: textOf(code),
    hint: textOf(code) === code ? '' : code,
  })
  return (
    <FilterSelect
      label={label}
      placeholder={placeholder}
      value={value === undefined ? undefined : optionOf(value)}
      options={codes.map(optionOf)}
      onSearch={setTyped}
      onChange={onChange}
    />
  )
}

interface ResourceIdFilterProps extends FilterProps<string> {
  resource: string | undefined
}

const isOfUsers = (resource: string | undefined): boolean =>
  ['auth', 'factor', 'user'].includes(resource ?? '')

/** Selects one resource of the chosen kind: users and roles by name, others by the id that the API gives them. */
const ResourceIdFilter = ({ resource, value, onChange }: ResourceIdFilterProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const labels = { label: t('auditLog.target'), placeholder: t('auditLog.anyTarget') }
  if (resource === undefined && value === undefined) return null
  if (isOfUsers(resource)) {
    return (
      <UserFilter
        {...labels}
        value={value === undefined ? undefined : Number(value)}
        onChange={(id) => onChange(id === undefined ? undefined : String(id))}
      />
    )
  }
  const known = new Map(
    resource === 'role' || resource === 'role_template'
      ? roles.map(({ id, name }) => [String(id), name] as const)
      : [],
  )
  return (
    <CodeFilter
      {...labels}
      known={[...known.keys()]}
      textOf={(id) => known.get(id) ?? id}
      value={value}
      onChange={onChange}
    />
  )
}

/** Shown only if a link from a user's page has set the filter. The other filters answer most questions. */
const AboutFilter = (filter: FilterProps<number>) => {
  const { t } = useTranslation()
  if (filter.value === undefined) return null
  return <UserFilter label={t('auditLog.about')} placeholder={t('auditLog.anyUser')} {...filter} />
}

const filterNames = [
  'user_id',
  'action',
  'resource',
  'resource_id',
  'about_user_id',
  'from',
  'to',
  'search',
  'ip',
] as const satisfies (keyof AuditFilters)[]

/** All filters of a search. Absent filters are undefined. */
export const filtersOf = (search: AuditFilters): AuditFilters =>
  Object.fromEntries(filterNames.map((name) => [name, search[name]]))

export const isFiltered = (search: AuditFilters): boolean =>
  Object.values(filtersOf(search)).some((value) => value !== undefined)

const useFilter = () => {
  const navigate = route.useNavigate()
  // With new filters, the list starts at its first page, and the open record closes.
  return (change: AuditFilters): void =>
    void navigate({
      search: (others) => ({ ...others, page: undefined, before_id: undefined, id: undefined, ...change }),
    })
}

const isOf = (kind: string | undefined, code: string): boolean =>
  kind === undefined || code.startsWith(`${kind}.`)

export const AuditFilterBar = () => {
  const { t } = useTranslation()
  const texts = useAuditTexts()
  const filter = useFilter()
  const search = route.useSearch()
  const { user_id, action, resource, resource_id, about_user_id, from, to } = search
  const chooseResource = (kind: string | undefined): void => {
    const fitting = action?.split(',').filter((code) => isOf(kind, code))
    filter({ resource: kind, resource_id: undefined, action: fitting?.join(',') || undefined })
  }
  return (
    <>
      <TextFilters />
      <UserFilter
        label={t('auditLog.user')}
        placeholder={t('auditLog.anyUser')}
        value={user_id}
        onChange={(value) => filter({ user_id: value })}
      />
      <ActionFilter
        label={t('auditLog.action')}
        placeholder={t('auditLog.anyAction')}
        known={texts.actions.filter((code) => isOf(resource, code))}
        chosen={action?.split(',') ?? []}
        onChange={(codes) => filter({ action: codes.join(',') || undefined })}
      />
      <CodeFilter
        label={t('auditLog.resource')}
        placeholder={t('auditLog.anyResource')}
        known={texts.resources}
        textOf={texts.ofResource}
        value={resource}
        onChange={chooseResource}
      />
      <ResourceIdFilter
        key={resource}
        resource={resource}
        value={resource_id}
        onChange={(value) => filter({ resource_id: value })}
      />
      <AboutFilter value={about_user_id} onChange={(value) => filter({ about_user_id: value })} />
      <TimeFilter range={{ from, to }} onChange={filter} />
      {isFiltered(search) && (
        <Button variant="subtle" size="compact-sm" onClick={() => filter(filtersOf({}))}>
          {t('table.clearFilters')}
        </Button>
      )}
    </>
  )
}

/** For these two filters, the service searches only the newest records that the other filters select. */
const TextFilters = () => {
  const { t } = useTranslation()
  const filter = useFilter()
  const { search, ip } = route.useSearch()
  return (
    <>
      <SearchInput
        label={t('auditLog.search')}
        maxLength={128}
        value={search ?? ''}
        onChange={(text) => filter({ search: text || undefined })}
      />
      <NamedUsers />
      {ip !== undefined && (
        <FilterPill text={t('auditLog.fromIp', { ip })} onRemove={() => filter({ ip: undefined })} />
      )}
    </>
  )
}

/** Records have no display names, so a search for one offers the filter by its user. */
const NamedUsers = () => {
  const { t } = useTranslation()
  const filter = useFilter()
  const { search = '', user_id: chosen } = route.useSearch()
  const { items } = useUserSearch(chosen === undefined ? search : '', namedUsersMax)
  return items.map((user) => (
    <Button
      key={user.id}
      variant="default"
      size="compact-sm"
      onClick={() => filter({ search: undefined, user_id: user.id })}
    >
      {t('auditLog.recordsBy', { name: nameOf(user) })}
    </Button>
  ))
}
