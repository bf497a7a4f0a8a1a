import { useQuery } from '@tanstack/react-query'
import type { Attribute } from '@tenantry/client'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { attributeSearch } from './attributes.search.ts'

export type Subject = Attribute['subject']

/** All attributes that the caller may read in any way: they belong to the installation. */
export const useAttributes = () => {
  const { reaches } = useMe()
  return useQuery({
    queryKey: ['attributes'],
    queryFn: ({ signal }) => (reaches('listAttributes') ? client.attributes.list({}, { signal }) : []),
    staleTime: 60_000,
  })
}

/** The attributes whose values the caller may read of others. Undefined while they load. */
export const useReadable = (subject: Subject): Attribute[] | undefined => {
  const reachesAll = useMe().can('tenant:enter')
  return useAttributes().data?.filter(
    (one) => one.subject === subject && (reachesAll || one.administrators !== 'none'),
  )
}

/** The attributes that lists show, with the values of their rows. */
export const useListed = (subject: Subject): Attribute[] =>
  (useReadable(subject) ?? []).filter(({ sensitive }) => !sensitive)

/** Whether the caller may write an attribute of others, with the permission to change them. */
export const useIsWritable = (): ((attribute: Attribute) => boolean) => {
  const reachesAll = useMe().can('tenant:enter')
  return ({ administrators }) => reachesAll || administrators === 'write'
}

export const useValuesOfUser = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['users', tenantId, 'attributes', id],
    queryFn: ({ signal }) => api.attributes.user(id, { signal }),
  })
}

export const useValuesOfTenant = (id: string) =>
  useQuery({
    queryKey: ['tenants', 'attributes', id],
    queryFn: ({ signal }) => client.attributes.tenant(id, { signal }),
  })

const prefix = 'attribute.'

/** A filter in an address, and a column of a file. */
export const filterName = (key: string) => `${prefix}${key}` as const

/** The filters of an address, by key. */
export const filtersIn = (search: object): [key: string, text: string][] =>
  Object.entries(attributeSearch(search)).map(([name, text = '']) => [name.slice(prefix.length), text])
