import type { Permission, RoleTemplate } from '@tenantry/client'
import type { Catalogue } from './catalogue.queries.ts'

/**
 * The codes of the permissions that a template of the product can hold. All others are for roles of the built-in
 * tenant only. The service does not mark these; its role `admin` holds exactly the first kind by rule.
 */
export const holdableOf = ({ templates }: Catalogue): Set<string> => {
  const admin = templates.find(({ is_builtin, name }) => is_builtin && name === 'admin')
  return new Set(admin?.permissions.map(({ code }) => code))
}

/** By id of the permission: true to add it, false to remove it. Unchanged permissions are absent. */
export type TemplateDraft = ReadonlyMap<number, boolean>

export interface TemplateChange {
  added: Permission[]
  removed: Permission[]
}

export const holds = ({ permissions }: RoleTemplate, { id }: Permission): boolean =>
  permissions.some((one) => one.id === id)

/** A permission that another user has added or removed meanwhile is no change. */
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
