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
  IconWebhook,
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
    | '/webhooks'
    | '/tenants'
    | '/catalogue'
    | '/audit'
    | '/settings'
    | '/notifications'
    | '/profile'
  title: ParseKeys
  icon: Icon
  /** Opens the page after `g`. */
  key: string
}

interface Place extends OwnPlace {
  /** Callers without this permission are not offered the page. */
  needs: PermissionCode
}

/** The pages of the navigation and of the palette, in their order. */
export const places: Place[] = [
  { to: '/', title: 'places.dashboard', icon: IconLayoutDashboard, key: 'd', needs: 'dashboard:read' },
  { to: '/users', title: 'places.users', icon: IconUsers, key: 'u', needs: 'user:read' },
  { to: '/roles', title: 'places.roles', icon: IconShieldCheck, key: 'r', needs: 'role:read' },
  {
    to: '/service-accounts',
    title: 'places.serviceAccounts',
    icon: IconRobot,
    key: 'k',
    needs: 'service_account:read',
  },
  { to: '/webhooks', title: 'places.webhooks', icon: IconWebhook, key: 'w', needs: 'webhook:read' },
  { to: '/tenants', title: 'places.tenants', icon: IconBuilding, key: 't', needs: 'tenant:read' },
  { to: '/catalogue', title: 'places.catalogue', icon: IconBooks, key: 'c', needs: 'catalogue:manage' },
  { to: '/audit', title: 'places.audit', icon: IconHistory, key: 'a', needs: 'audit:read' },
  { to: '/settings', title: 'places.settings', icon: IconSettings, key: 's', needs: 'setting:read' },
]

/** In the navigation of every caller, behind the other pages. */
export const inbox: OwnPlace = {
  to: '/notifications',
  title: 'places.notifications',
  icon: IconBell,
  key: 'n',
}

/** The caller's own pages; the header and the palette lead to them. */
export const ownPlaces: OwnPlace[] = [
  inbox,
  { to: '/profile', title: 'places.profile', icon: IconUser, key: 'p' },
]

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys that open the palette. */
export const paletteKeys = isApple ? ['⌘', 'K'] : ['Ctrl', 'K']
