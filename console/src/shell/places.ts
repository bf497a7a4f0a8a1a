import {
  IconBell,
  IconBooks,
  IconBuilding,
  IconHistory,
  IconLayoutDashboard,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconUser,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import type { PermissionCode } from '@tenantry/client'
import type { ParseKeys } from 'i18next'

interface OwnPlace {
  to:
    | '/'
    | '/users'
    | '/roles'
    | '/service-accounts'
    | '/tenants'
    | '/catalogue'
    | '/audit'
    | '/settings'
    | '/notifications'
    | '/profile'
  title: ParseKeys
  icon: Icon
}

interface Place extends OwnPlace {
  /** Callers without this permission are not offered the page. */
  needs: PermissionCode
}

/** The pages of the navigation and of the palette, in their order. */
export const places: Place[] = [
  { to: '/', title: 'dashboard.title', icon: IconLayoutDashboard, needs: 'dashboard:read' },
  { to: '/users', title: 'users.title', icon: IconUsers, needs: 'user:read' },
  { to: '/roles', title: 'roles.title', icon: IconShieldCheck, needs: 'role:read' },
  { to: '/service-accounts', title: 'serviceAccounts.title', icon: IconRobot, needs: 'service_account:read' },
  { to: '/tenants', title: 'tenants.title', icon: IconBuilding, needs: 'tenant:read' },
  { to: '/catalogue', title: 'catalogue.title', icon: IconBooks, needs: 'catalogue:manage' },
  { to: '/audit', title: 'audit.title', icon: IconHistory, needs: 'audit:read' },
  { to: '/settings', title: 'settings.title', icon: IconSettings, needs: 'setting:read' },
]

/** The caller's own pages; the header and the palette lead to them. */
export const ownPlaces: OwnPlace[] = [
  { to: '/notifications', title: 'notifications.title', icon: IconBell },
  { to: '/profile', title: 'profile.title', icon: IconUser },
]
