import type { Permission, Role, RoleTemplate } from '@tenantry/client'
import { useMemo } from 'react'
import { useSystemRoles } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'

type PermissionTexts = Record<string, { name: string; description: string }>

/** Translates the service's English texts of permissions and system roles. Other texts stay unchanged. */
export const useRoleTexts = () => {
  const { textsOf } = useTranslation()
  const textOf = useSystemRoles()
  return useMemo(() => {
    const permissions: PermissionTexts = textsOf('permissionTexts')
    const ofPermission = (permission: Permission): Permission => ({
      ...permission,
      ...permissions[permission.code],
    })
    const ofRole = <R extends Role>(role: R): R => ({
      ...role,
      ...textOf(role.name),
      permissions: role.permissions.map(ofPermission),
    })
    return {
      ofRole,
      ofTemplates: (templates: RoleTemplate[]) =>
        templates.map((template) => ({
          ...template,
          ...textOf(template.name),
          permissions: template.permissions.map(ofPermission),
        })),
      ofRoles: <R extends Role>(roles: R[]): R[] => roles.map(ofRole),
      ofPermissions: (all: Permission[]) => all.map(ofPermission),
    }
  }, [textsOf, textOf])
}
/** The name of a module's group. An unknown module keeps its code. */
export const useModuleName = (): ((module: string) => string) => {
  const { t } = useTranslation()
  const names = new Map([
    ['application', t('places.applications')],
    ['approval', t('places.approvals')],
    ['attribute', t('places.attributes')],
    ['audit', t('places.audit')],
    ['authz', t('places.decisions')],
    ['catalogue', t('places.catalogue')],
    ['dashboard', t('places.dashboard')],
    ['flag', t('places.flags')],
    ['grant', t('places.grants')],
    ['notification', t('places.notifications')],
    ['provider', t('places.providers')],
    ['rbac', t('places.roles')],
    ['review', t('places.reviews')],
    ['scim', 'SCIM'],
    ['service_account', t('places.serviceAccounts')],
    ['setting', t('places.settings')],
    ['sso', t('places.connections')],
    ['support', t('places.support')],
    ['tenant', t('places.tenants')],
    ['user', t('places.users')],
    ['webhook', t('places.webhooks')],
  ])
  return (module) => names.get(module) ?? module
}

/** Lower ids belong to the service (docs/contract.md, "Roles and permissions"). */
const productIds = 1000

export const isOfProduct = ({ id }: Permission): boolean => id >= productIds

/** The permissions whose name or code contains the text, by module. The product's own modules come first. */
export const modulesOf = (permissions: Permission[], search = ''): Map<string, Permission[]> => {
  const sought = search.toLowerCase()
  const found = permissions.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(sought))
  const own = found.filter(isOfProduct).toSorted((one, other) => one.code.localeCompare(other.code))
  return Map.groupBy([...own, ...found.filter((one) => !isOfProduct(one))], ({ module }) => module)
}
