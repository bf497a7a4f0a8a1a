import {
  IconBell,
  IconBuilding,
  IconHistory,
  IconLayoutDashboard,
  IconSettings,
  IconShieldCheck,
  IconUser,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import type { PermissionCode } from '@tenantry/client'
import type { ParseKeys } from 'i18next'

interface OwnPlace {
  to: '/' | '/users' | '/roles' | '/tenants' | '/audit' | '/settings' | '/notifications' | '/profile'
  title: ParseKeys
  icon: Icon
}

interface Place extends OwnPlace {
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

/** The caller's own, which header and palette lead to. */
export const ownPlaces: OwnPlace[] = [
  { to: '/notifications', title: 'notifications.title', icon: IconBell },
  { to: '/profile', title: 'profile.title', icon: IconUser },
]
