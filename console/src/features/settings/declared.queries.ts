import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EffectiveSetting, SettingDefinition } from '@tenantry/client'
import { useScope } from '../../session/scope.ts'
import type { SettingScope } from './known-settings.ts'

/** The service keeps up to 1,000 declarations. */
const pageSize = 200
const pagesMax = 5

export const useDefinitions = () => {
  const { api } = useScope()
  return useQuery({
    queryKey: ['settings', 'definitions'],
    queryFn: async ({ signal }): Promise<SettingDefinition[]> => {
      const found: SettingDefinition[] = []
      for (let page = 1; page <= pagesMax; page += 1) {
        const { items, total } = await api.settings.definitions.list(
          { page, page_size: pageSize },
          { signal },
        )
        found.push(...items)
        if (found.length >= total) break
      }
      return found.filter((one) => !one.is_builtin)
    },
  })
}

/** The effective values in the tenant in scope, by key. */
export const useEffective = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['settings', tenantId, 'effective'],
    queryFn: async ({ signal }): Promise<Map<string, EffectiveSetting>> => {
      const found = await api.settings.effective.list({}, { signal })
      return new Map(found.map((one) => [one.key, one]))
    },
  })
}

export const useVersions = (scope: SettingScope, key: string) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['settings', scope === 'global' ? scope : tenantId, 'history', key],
    queryFn: ({ signal }) => api.settings[scope].history(key, { page_size: 20 }, { signal }),
  })
}

/** Runs a change of settings, and then refreshes all queries about them. */
export const useChangingSettings = <Input>(
  change: (input: Input) => Promise<unknown>,
  onDone: (input: Input) => void,
) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (_, input) => {
      await queries.invalidateQueries({ queryKey: ['settings'] })
      onDone(input)
    },
  })
}
