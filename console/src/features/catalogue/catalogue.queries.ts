import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Permission, RoleTemplate } from '@tenantry/client'
import { client } from '../../session/client.ts'
import { useRoleTexts } from '../roles/roles.texts.ts'

export interface Catalogue {
  permissions: Permission[]
  templates: RoleTemplate[]
}

/** The whole catalogue, which is the same whatever tenant is in scope: only the callers' own one sees all of it. */
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
    /** When the older half was loaded. */
    dataUpdatedAt: Math.min(permissions.dataUpdatedAt, templates.dataUpdatedAt),
    error: permissions.error ?? templates.error,
    refetch: () => Promise.all([permissions.refetch(), templates.refetch()]),
  }
}

/** Refreshes the catalogue, and what depends on it in every tenant, the caller's own permissions included. */
export const useRenewCatalogue = () => {
  const queries = useQueryClient()
  return async (): Promise<void> => {
    const features = ['catalogue', 'permissions', 'roles', 'users', 'me']
    await Promise.all(features.map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
}
