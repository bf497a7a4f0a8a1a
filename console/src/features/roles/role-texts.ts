import type { Permission, Role } from '@tenantry/client'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

type PermissionTexts = Record<string, { name: string; description: string }>

/** Permissions and system roles in the language of the page, where the service has English alone; any other as it is. */
export const useRoleTexts = () => {
  const { t } = useTranslation()
  return useMemo(() => {
    const permissions: PermissionTexts = t('permissionTexts', { returnObjects: true })
    const systemRoles: Record<string, string> = t('systemRoles', { returnObjects: true })
    const ofPermission = (permission: Permission): Permission => ({
      ...permission,
      ...permissions[permission.code],
    })
    const ofRole = (role: Role): Role => ({
      ...role,
      description: (role.is_system ? systemRoles[role.name] : undefined) ?? role.description,
      permissions: role.permissions.map(ofPermission),
    })
    return {
      ofRole,
      ofRoles: (roles: Role[]) => roles.map(ofRole),
      ofPermissions: (all: Permission[]) => all.map(ofPermission),
    }
  }, [t])
}
