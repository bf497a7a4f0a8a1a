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
  { to: '/', title: 'places.dashboard', icon: IconLayoutDashboard, needs: 'dashboard:read' },
  { to: '/users', title: 'places.users', icon: IconUsers, needs: 'user:read' },
  { to: '/roles', title: 'places.roles', icon: IconShieldCheck, needs: 'role:read' },
  {
    to: '/service-accounts',
    title: 'places.serviceAccounts',
    icon: IconRobot,
    needs: 'service_account:read',
  },
  { to: '/tenants', title: 'places.tenants', icon: IconBuilding, needs: 'tenant:read' },
  { to: '/catalogue', title: 'places.catalogue', icon: IconBooks, needs: 'catalogue:manage' },
  { to: '/audit', title: 'places.audit', icon: IconHistory, needs: 'audit:read' },
  { to: '/settings', title: 'places.settings', icon: IconSettings, needs: 'setting:read' },
]

/** The caller's own pages; the header and the palette lead to them. */
export const ownPlaces: OwnPlace[] = [
  { to: '/notifications', title: 'places.notifications', icon: IconBell },
  { to: '/profile', title: 'places.profile', icon: IconUser },
]
