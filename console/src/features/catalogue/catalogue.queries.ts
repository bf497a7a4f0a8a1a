import { useQuery } from '@tanstack/react-query'
import type { Permission, RoleTemplate } from '@tenantry/client'
import { systemRoleIds } from '../../session/built-in.ts'
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
    /** The time of the older answer. */
    dataUpdatedAt: Math.min(permissions.dataUpdatedAt, templates.dataUpdatedAt),
    error: permissions.error ?? templates.error,
    refetch: () => Promise.all([permissions.refetch(), templates.refetch()]),
  }
}

/**
 * The codes of the permissions that a template of the product can have. Other permissions are only for roles of the
 * built-in tenant. The service does not mark the two kinds, but its role `admin` has exactly the first kind by rule.
 */
export const holdableOf = ({ templates }: Catalogue): Set<string> => {
  const admin = templates.find(({ id }) => id === systemRoleIds.admin)
  return new Set(admin?.permissions.map(({ code }) => code))
}

/** By the id of a permission: true to add it, false to remove it. Omits unchanged permissions. */
export type TemplateDraft = ReadonlyMap<number, boolean>

export interface TemplateChange {
  added: Permission[]
  removed: Permission[]
}

export const holds = ({ permissions }: RoleTemplate, { id }: Permission): boolean =>
  permissions.some((one) => one.id === id)

/** A permission that another user has added or removed meanwhile counts as unchanged. */
export const changeOf = (
  template: RoleTemplate,
  all: Permission[],
  draft: TemplateDraft,
): TemplateChange => ({
  added: all.filter((one) => draft.get(one.id) === true && !holds(template, one)),
  removed: all.filter((one) => draft.get(one.id) === false && holds(template, one)),
})

export const idsAfter = (
  { permissions }: Pick<RoleTemplate, 'permissions'>,
  { added, removed }: TemplateChange,
): number[] => {
  const gone = new Set(removed.map(({ id }) => id))
  const ids = new Set([...permissions, ...added].map(({ id }) => id))
  return [...ids].filter((id) => !gone.has(id)).toSorted((one, other) => one - other)
}
