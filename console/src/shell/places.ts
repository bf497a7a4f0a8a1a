import {
  IconBuilding,
  IconHistory,
  IconLayoutDashboard,
  IconSettings,
  IconShieldCheck,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import type { PermissionCode } from '@tenantry/client'
import type { ParseKeys } from 'i18next'

interface Place {
  to: '/' | '/users' | '/roles' | '/tenants' | '/audit' | '/settings'
  title: ParseKeys
  icon: Icon
  /** Who lacks it is not offered the page. */
  needs: PermissionCode
}

/** The pages of the navigation and of the palette, in their order. */
export const places: Place[] = [
  { to: '/', title: 'dashboard.title', icon: IconLayoutDashboard, needs: 'dashboard:read' },
  { to: '/users', title: 'users.title', icon: IconUsers, needs: 'user:read' },
  { to: '/roles', title: 'roles.title', icon: IconShieldCheck, needs: 'role:read' },
  { to: '/tenants', title: 'tenants.title', icon: IconBuilding, needs: 'tenant:read' },
  { to: '/audit', title: 'audit.title', icon: IconHistory, needs: 'audit:read' },
  { to: '/settings', title: 'settings.title', icon: IconSettings, needs: 'setting:read' },
]
