import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Flag, UpdateFlag } from '@tenantry/client'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'
import type { FlagsSearch } from './flags.search.ts'
import { useRenew } from '../../components/use-renew.ts'

/** Flags belong to the installation: they do not depend on the tenant in scope. */
export const useFlags = ({ page, size = defaultPageSize, search }: FlagsSearch) => {
  const query = { page, page_size: size, search }
  return useQuery({
    queryKey: ['flags', 'page', query],
    queryFn: ({ signal }) => client.flags.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const useFlag = (key: string) =>
  useQuery({ queryKey: ['flags', 'one', key], queryFn: ({ signal }) => client.flags.get(key, { signal }) })

export const useOverrides = (key: string, { page, size = defaultPageSize }: PageSearch) => {
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['flags', 'tenants', key, query],
    queryFn: ({ signal }) => client.flags.tenants.list(key, query, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Changes the version that the page has read. If another user has changed the flag meanwhile, the request fails. */
export const updateFlag = ({ key, version }: Flag, changes: UpdateFlag) =>
  client.flags.update(key, changes, { ifMatch: `"${version}"` })

export const useUpdateFlag = (flag: Flag, onSaved: () => void) => {
  const renew = useRenew()
  return useMutation({
    mutationFn: (changes: UpdateFlag) => updateFlag(flag, changes),
    onSuccess: async () => {
      onSaved()
      await renew()
    },
  })
}
