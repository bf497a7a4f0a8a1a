import { useQuery } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

/** Providers belong to the installation: they do not depend on the tenant in scope. At most 20. */
export const useProviders = (enabled = true) =>
  useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => client.providers.list({ signal }),
    enabled,
  })

export const useProvider = (id: string) =>
  useQuery({
    queryKey: ['providers', id],
    queryFn: ({ signal }) => client.providers.get(id, { signal }),
  })
