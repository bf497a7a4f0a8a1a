import type { Permission, Role, RoleTemplate } from '@tenantry/client'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

type PermissionTexts = Record<string, { name: string; description: string }>

/** Translates permissions and system roles, which the service names in English. Other texts stay. */
export const useRoleTexts = () => {
  const { t } = useTranslation()
  return useMemo(() => {
    const permissions: PermissionTexts = t('permissionTexts', { returnObjects: true })
    const systemRoles: Record<string, string> = t('systemRoles', { returnObjects: true })
    const ofPermission = (permission: Permission): Permission => ({
      ...permission,
      ...permissions[permission.code],
    })
    const describe = ({ name, description }: Role | RoleTemplate): string =>
      Object.hasOwn(systemRoles, name) ? (systemRoles[name] ?? description) : description
    const ofRole = (role: Role): Role => ({
      ...role,
      description: role.is_system ? describe(role) : role.description,
      permissions: role.permissions.map(ofPermission),
    })
    return {
      ofRole,
      ofTemplates: (templates: RoleTemplate[]) =>
        templates.map((template) => ({
          ...template,
          description: describe(template),
          permissions: template.permissions.map(ofPermission),
        })),
      ofRoles: (roles: Role[]) => roles.map(ofRole),
      ofPermissions: (all: Permission[]) => all.map(ofPermission),
    }
  }, [t])
}
/** Names a module like its page; an unknown module stands for itself. */
export const useModuleName = (): ((module: string) => string) => {
  const { t } = useTranslation()
  const names = new Map([
    ['audit', t('places.audit')],
    ['authz', t('roles.decisions')],
    ['catalogue', t('places.catalogue')],
    ['dashboard', t('places.dashboard')],
    ['notification', t('places.notifications')],
    ['rbac', t('places.roles')],
    ['service_account', t('places.serviceAccounts')],
    ['setting', t('places.settings')],
    ['tenant', t('places.tenants')],
    ['user', t('places.users')],
    ['webhook', t('places.webhooks')],
  ])
  return (module) => names.get(module) ?? module
}
