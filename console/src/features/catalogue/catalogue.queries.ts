import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Permission, RoleTemplate } from '@tenantry/client'
import { client } from '../../session/client.ts'
import { useRoleTexts } from '../roles/roles.texts.ts'

export interface Catalogue {
  permissions: Permission[]
  templates: RoleTemplate[]
}

/** The whole catalogue, requested in the caller's own tenant: it does not depend on the tenant in scope. */
export const useCatalogue = () => {
  const { ofPermissions, ofTemplates } = useRoleTexts()
  const permissions = useQuery({
    queryKey: ['catalogue', 'permissions'],
    queryFn: ({ signal }) => client.permissions.list({}, { signal }),
    select: ofPermissions,
  })
  const templates = useQuery({
    queryKey: ['catalogue', 'templates'],
    queryFn: ({ signal }) => client.roleTemplates.list({ signal }),
    select: ofTemplates,
  })
  const data: Catalogue | undefined = permissions.data &&
    templates.data && { permissions: permissions.data, templates: templates.data }
  return {
    data,
    /** When the older of both answers came. */
    dataUpdatedAt: Math.min(permissions.dataUpdatedAt, templates.dataUpdatedAt),
    error: permissions.error ?? templates.error,
    refetch: () => Promise.all([permissions.refetch(), templates.refetch()]),
  }
}

/** Refreshes the catalogue, and everything that depends on it in any tenant, including the caller's own permissions. */
export const useRenewCatalogue = () => {
  const queries = useQueryClient()
  return async (): Promise<void> => {
    const features = ['catalogue', 'permissions', 'roles', 'users', 'me']
    await Promise.all(features.map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
}
