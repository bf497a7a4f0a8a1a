import { useDebouncedValue } from '@mantine/hooks'
import {
  IconApps,
  IconBuilding,
  IconHistory,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SearchResult } from '../components/use-user-search.ts'
import { useApplications } from '../features/applications/applications.queries.ts'
import { useRolesQuery } from '../features/roles/roles.queries.ts'
import { useAccounts } from '../features/service-accounts/service-accounts.queries.ts'
import { formOf, useSettings } from '../features/settings/settings.queries.ts'
import { addressOf, nameOfWebhook, useWebhooks } from '../features/webhooks/webhooks.queries.ts'
import { isOpenMembership, useMe, useOwnTenants } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import { useSwitch } from './use-switch.ts'
import { useOpenablePages, useOpenPage } from './nav-pages.ts'
import { useActionHits, type Hit } from './palette-actions.ts'
import { useUserHits } from './palette-users.ts'
import { useRecent } from './recent.ts'
import { findTenants, useTenantSearch } from './tenants.ts'
import type { WindowName } from './windows.tsx'

const foundMax = 6

type Hits = SearchResult<Hit>

const hitsOf = (items: Hit[]): Hits => ({ items, isPending: false, error: null })

const none = hitsOf([])

const holds =
  (text: string) =>
  ({ label }: { label: string }): boolean =>
    label.toLowerCase().includes(text.toLowerCase())

const usePageHits = (): Hit[] => {
  const { t } = useTranslation()
  const openPage = useOpenPage()
  return useOpenablePages().map((page) => ({
    key: page.title,
    icon: page.icon,
    label: t(page.title),
    run: () => openPage(page),
  }))
}

const useRecentPages = (): Hit[] => {
  const navigate = useNavigate()
  return useRecent().map(({ href, name }) => ({
    key: href,
    icon: IconHistory,
    label: name,
    run: () => void navigate({ to: '/', href }),
  }))
}

/** Loads the roles after the first typed letter, and searches them here: a tenant has at most 1000. */
const useRoleHits = (text: string): Hits => {
  const navigate = useNavigate()
  const query = useRolesQuery()
  const asked = useQuery({ ...query, enabled: query.enabled === true && text !== '' })
  if (text === '') return none
  const hits = (asked.data ?? []).map(({ id, name, description }) => ({
    key: String(id),
    label: name,
    description,
    icon: IconShieldCheck,
    run: () => void navigate({ to: '/roles/$roleId', params: { roleId: String(id) } }),
  }))
  return {
    items: hits.filter(holds(text)).slice(0, foundMax),
    isPending: asked.isFetching,
    error: asked.error,
  }
}

const useAccountHits = (text: string): Hits => {
  const navigate = useNavigate()
  const [search] = useDebouncedValue(text, 200)
  const isAsked = useMe().can('service_account:read') && search !== ''
  const { data, isFetching, error } = useAccounts({ search, size: foundMax }, isAsked)
  if (!isAsked || text === '') return none
  const hits = (data?.items ?? []).map(({ id, name, description }) => ({
    key: String(id),
    label: name,
    description,
    icon: IconRobot,
    run: () => void navigate({ to: '/service-accounts/$accountId', params: { accountId: String(id) } }),
  }))
  return { items: hits, isPending: isFetching || search !== text, error }
}

const useApplicationHits = (text: string): Hits => {
  const navigate = useNavigate()
  const [search] = useDebouncedValue(text, 200)
  const isAsked = useMe().can('application:read') && search !== ''
  const { data, isFetching, error } = useApplications({ search, size: foundMax }, isAsked)
  if (!isAsked || text === '') return none
  const hits = (data?.items ?? []).map(({ id, name }) => ({
    key: String(id),
    label: name,
    icon: IconApps,
    run: () => void navigate({ to: '/applications/$applicationId', params: { applicationId: String(id) } }),
  }))
  return { items: hits, isPending: isFetching || search !== text, error }
}

const useWebhookHits = (text: string): Hits => {
  const navigate = useNavigate()
  const { data = [] } = useWebhooks()
  if (text === '') return none
  const hits = data.map((webhook) => ({
    key: String(webhook.id),
    label: nameOfWebhook(webhook),
    description: addressOf(webhook),
    icon: IconWebhook,
    run: () => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(webhook.id) } }),
  }))
  return hitsOf(hits.filter(holds(text)).slice(0, foundMax))
}

const useSettingHits = (text: string): Hits => {
  const navigate = useNavigate()
  const isAsked = useMe().can('setting:read') && text !== ''
  const { data = [], isFetching, error } = useSettings('tenant', isAsked)
  if (!isAsked) return none
  const hits = data.map(({ key }) => ({
    key,
    label: key,
    icon: IconSettings,
    run: () => void navigate({ to: '/settings', search: formOf(key) ?? { key } }),
  }))
  return { items: hits.filter(holds(text)).slice(0, foundMax), isPending: isFetching, error }
}

/** The person's own tenants, which the person can switch to, and the other tenants that the person may enter. */
const useTenantHits = (text: string, isAsked: boolean): Hits => {
  const navigate = useNavigate()
  const { can, tenant: home } = useMe()
  const { needsSwitch, switchTo } = useSwitch()
  const mine = useOwnTenants()
    .filter(isOpenMembership)
    .map(({ tenant }) => tenant)
  const isSought = can('tenant:enter') && can('tenant:read') && isAsked
  const { data, error, isPending } = useTenantSearch(text, foundMax, isSought)
  if (!isAsked) return none
  // The page of tenants also fills this cache, so it can hold the list although the caller may not enter.
  const others = isSought ? (data?.items ?? []).filter(({ id }) => !mine.some((one) => one.id === id)) : []
  const enter = (id: string) => navigate({ to: '/', search: { tenant: id === home.id ? undefined : id } })
  const items = findTenants([...mine, ...others], text)
    .slice(0, foundMax)
    .map(({ id, name, slug }) => ({
      key: id,
      label: name,
      description: slug,
      icon: IconBuilding,
      run: () => void (needsSwitch(id) ? switchTo(id) : enter(id)),
    }))
  return { items, isPending, error }
}

export interface HitsOptions {
  /** True while the palette lists only tenants. */
  isOfTenants: boolean
  onWindow: (name: WindowName) => void
  onTenants: () => void
}

export const useHits = (text: string, { isOfTenants, onWindow, onTenants }: HitsOptions) => {
  const { t } = useTranslation()
  const tenants = { label: t('shell.tenants'), ...useTenantHits(text, isOfTenants || text !== '') }
  const actions = useActionHits(onWindow, onTenants)
  const found = (hits: Hit[]) => hits.filter(holds(text))
  const others = [
    { label: t('shell.recent'), ...hitsOf([...found(useRecentPages()), ...found(actions.recent)]) },
    { label: t('shell.pages'), ...hitsOf(found(usePageHits())) },
    { label: t('shell.actions'), ...hitsOf(found(actions.others)) },
    { label: t('places.users'), ...useUserHits(text) },
    { label: t('places.roles'), ...useRoleHits(text) },
    { label: t('places.applications'), ...useApplicationHits(text) },
    { label: t('places.serviceAccounts'), ...useAccountHits(text) },
    { label: t('places.webhooks'), ...useWebhookHits(text) },
    { label: t('places.settings'), ...useSettingHits(text) },
  ]
  return isOfTenants ? [tenants] : [...others, tenants]
}
