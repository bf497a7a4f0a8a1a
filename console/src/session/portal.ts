/** The product in place of Tenantry, for people without `tenant:enter`. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Portal } from '@tenantry/client'
import { createStore } from '../store.ts'
import { client } from './client.ts'
import { meQuery, useMe } from './me.ts'

export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => client.settings.portal({}, { signal }),
  staleTime: 60_000,
})

/** Whether a platform administrator sees the portal. */
export const portalPreview = createStore(false)

interface Brand extends Omit<Portal, 'return_to'> {
  /** False for Tenantry itself. */
  isProduct: boolean
}

const tenantry: Brand = {
  product: 'Tenantry',
  logo: '',
  logo_dark: '',
  icon: '',
  color: '',
  home_url: '',
  help_url: '',
  pages: null,
  isProduct: false,
}

/** The product that the person sees. It is Tenantry until the service has answered. */
export const useBrand = (): Brand => {
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const { data: portal } = useQuery({ ...portalQuery, enabled: me?.reaches('getPortal') === true })
  const isPreview = portalPreview.useValue()
  if (!portal || !me || (me.can('tenant:enter') && !isPreview)) return tenantry
  return { ...portal, product: portal.product || tenantry.product, isProduct: portal.product !== '' }
}

/**
 * The page of the product that led here, or else its home page. Undefined until the service has decided whether the
 * console leads back to the named page.
 */
export const useWayBack = (): Portal['return_to'] | undefined => {
  const { home_url: home, product } = useBrand()
  const { return_to: back = '' } = useSearch({ from: '/shell' })
  const { reaches } = useMe()
  const { data, isLoading } = useQuery({
    queryKey: [...portalQuery.queryKey, back],
    queryFn: ({ signal }) => client.settings.portal({ return_to: back }, { signal }),
    enabled: back !== '' && reaches('getPortal'),
    staleTime: 60_000,
  })
  if (isLoading) return undefined
  return data?.return_to ?? (home === '' ? undefined : { name: product, url: home })
}
