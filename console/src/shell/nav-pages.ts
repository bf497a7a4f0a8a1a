import {
  IconApps,
  IconBell,
  IconBooks,
  IconBuilding,
  IconChecklist,
  IconFlag,
  IconHistory,
  IconLayoutDashboard,
  IconLogin2,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconUser,
  IconUserShield,
  IconUsers,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { accountPages } from '../session/account-pages.ts'
import type { TextKey } from '../translation.ts'

export interface OwnPage {
  to:
    | '/'
    | '/users'
    | '/roles'
    | '/applications'
    | '/resources'
    | '/grants'
    | '/service-accounts'
    | '/webhooks'
    | '/flags'
    | '/tenants'
    | '/catalogue'
    | '/providers'
    | '/audit'
    | '/settings'
    | '/connections'
    | '/notifications'
  /** The address of a page outside the console. */
  href?: string
  title: TextKey
  icon: Icon
  /** The key that opens the page after `g`. */
  key: string
}

interface NavPage extends OwnPage {
  /** A caller without this permission does not see the page. */
  needs: PermissionCode
}

interface NavGroup {
  title: TextKey
  pages: NavPage[]
}

/** The pages of the navigation, in their order. */
export const navGroups: NavGroup[] = [
  {
    title: 'shell.overview',
    pages: [
      { to: '/', title: 'places.dashboard', icon: IconLayoutDashboard, key: 'd', needs: 'dashboard:read' },
      { to: '/audit', title: 'places.audit', icon: IconHistory, key: 'a', needs: 'audit:read' },
    ],
  },
  {
    title: 'shell.access',
    pages: [
      { to: '/users', title: 'places.users', icon: IconUsers, key: 'u', needs: 'user:read' },
      { to: '/roles', title: 'places.roles', icon: IconShieldCheck, key: 'r', needs: 'role:read' },
      { to: '/grants', title: 'places.grants', icon: IconChecklist, key: 'o', needs: 'grant:read' },
      { to: '/connections', title: 'places.connections', icon: IconLogin2, key: 'l', needs: 'sso:read' },
    ],
  },
  {
    title: 'shell.developers',
    pages: [
      {
        to: '/applications',
        title: 'places.applications',
        icon: IconApps,
        key: 'i',
        needs: 'application:read',
      },
      {
        to: '/resources',
        title: 'places.resources',
        icon: IconPlugConnected,
        key: 'e',
        needs: 'application:read',
      },
      {
        to: '/service-accounts',
        title: 'places.serviceAccounts',
        icon: IconRobot,
        key: 'k',
        needs: 'service_account:read',
      },
      { to: '/webhooks', title: 'places.webhooks', icon: IconWebhook, key: 'w', needs: 'webhook:read' },
      { to: '/flags', title: 'places.flags', icon: IconFlag, key: 'f', needs: 'flag:read' },
      { to: '/settings', title: 'places.settings', icon: IconSettings, key: 's', needs: 'setting:read' },
    ],
  },
  {
    title: 'shell.platform',
    pages: [
      { to: '/tenants', title: 'places.tenants', icon: IconBuilding, key: 't', needs: 'tenant:read' },
      { to: '/catalogue', title: 'places.catalogue', icon: IconBooks, key: 'c', needs: 'catalogue:manage' },
      {
        to: '/providers',
        title: 'places.providers',
        icon: IconUserShield,
        key: 'v',
        needs: 'provider:read',
      },
    ],
  },
]

/** The pages of the palette, in their order. */
export const navPages: NavPage[] = navGroups.flatMap((group) => group.pages)

/** The navigation shows it to every caller, after the other pages. */
export const inbox: OwnPage = {
  to: '/notifications',
  title: 'places.notifications',
  icon: IconBell,
  key: 'n',
}

/** The pages of the own account, which are no part of the console. */
const account = {
  to: '/',
  href: accountPages.profile,
  title: 'places.profile',
  icon: IconUser,
  key: 'p',
} as const

/** A page outside the console is another document. */
export const useOpenPage = () => {
  const navigate = useNavigate()
  return ({ to, href }: OwnPage): void => {
    if (href === undefined) void navigate({ to })
    else location.assign(href)
  }
}

/** The caller's own pages, linked in the header and the palette. */
export const ownPages: OwnPage[] = [inbox, account]

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export const paletteKeys = isApple ? ['⌘', 'K'] : ['Ctrl', 'K']
