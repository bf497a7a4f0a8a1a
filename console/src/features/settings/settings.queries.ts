import { useMutation, useQuery } from '@tanstack/react-query'
import type { EffectiveSetting, SettingDefinition } from '@tenantry/client'
import { useRenew } from '../../components/use-renew.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { writesAllSettings } from '../../session/support.ts'
import {
  connectionOnly,
  formOf,
  limits,
  passwords,
  supportAccess,
  type SettingScope,
} from './known-settings.ts'

export { connectionOnly, formOf, limits, passwords, supportAccess }

export const useCanWrite = (scope: SettingScope): boolean =>
  useMe().can(scope === 'global' ? 'setting:global' : 'setting:update')

/** Whether the caller may write the settings that Tenantry itself reads. */
export const useCanConfigure = (scope: SettingScope): boolean => useCanWrite(scope) && writesAllSettings

/** All tenants share the global settings, so their key names no tenant. */
const useSettingsKey = (scope: SettingScope) => {
  const { tenantId } = useScope()
  return ['settings', scope === 'global' ? scope : tenantId]
}

/** All settings of a scope; the service limits their number. */
export const useSettings = (scope: SettingScope, enabled = true) => {
  const { api } = useScope()
  return useQuery({
    queryKey: useSettingsKey(scope),
    queryFn: ({ signal }) => api.settings[scope].list({ signal }),
    enabled,
  })
}

/** The numbers and limits of the tenant in scope. A change of its users or settings refreshes them. */
export const useUsage = (enabled: boolean) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['users', tenantId, 'usage'],
    queryFn: ({ signal }) => api.tenants.usage({ signal }),
    enabled,
  })
}

/**
 * Whether users can sign in to the tenant only by a connection. Undefined while it loads, and for callers who may not
 * see it.
 */
export const useIsConnectionOnly = (): boolean | undefined =>
  useSettings('tenant', useMe().can('setting:read')).data?.some(
    ({ key, value }) => key === connectionOnly.key && value === connectionOnly.on,
  )

/** Runs a change of settings, and then refreshes the page. */
export const useChangingSettings = <Input>(
  change: (input: Input) => Promise<unknown>,
  onDone: (input: Input) => void,
) => {
  const renew = useRenew()
  return useMutation({
    mutationFn: change,
    onSuccess: async (_, input) => {
      await renew()
      onDone(input)
    },
  })
}

interface SettingInput {
  key: string
  value: unknown
}

export const usePutSetting = (scope: SettingScope, onDone: (input: SettingInput) => void) => {
  const { api } = useScope()
  return useChangingSettings(({ key, value }: SettingInput) => api.settings[scope].put(key, value), onDone)
}

export const useDeleteSetting = (scope: SettingScope, onDone: (key: string) => void) => {
  const { api } = useScope()
  return useChangingSettings((key: string) => api.settings[scope].delete(key), onDone)
}

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
