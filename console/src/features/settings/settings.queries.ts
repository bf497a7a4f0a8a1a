import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { connectionOnly, type SettingScope } from './known-settings.ts'

export { connectionOnly }

export const useCanWrite = (scope: SettingScope): boolean =>
  useMe().can(scope === 'global' ? 'setting:global' : 'setting:update')

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

/**
 * Whether users can sign in to the tenant by a connection only. Undefined while it loads, and for callers who may not
 * see it.
 */
export const useIsConnectionOnly = (): boolean | undefined =>
  useSettings('tenant', useMe().can('setting:read')).data?.some(
    ({ key, value }) => key === connectionOnly.key && value === connectionOnly.on,
  )

const useRenewing = <Input>(
  scope: SettingScope,
  work: (input: Input) => Promise<unknown>,
  onDone: (input: Input) => void,
) => {
  const queries = useQueryClient()
  const queryKey = useSettingsKey(scope)
  return useMutation({
    mutationFn: work,
    onSuccess: async (_, input) => {
      await queries.invalidateQueries({ queryKey })
      onDone(input)
    },
  })
}

export interface SettingInput {
  key: string
  value: unknown
}

export const usePutSetting = (scope: SettingScope, onDone: (input: SettingInput) => void) => {
  const { api } = useScope()
  return useRenewing(scope, ({ key, value }: SettingInput) => api.settings[scope].put(key, value), onDone)
}

export const useDeleteSetting = (scope: SettingScope, onDone: (key: string) => void) => {
  const { api } = useScope()
  return useRenewing(scope, (key: string) => api.settings[scope].delete(key), onDone)
}
