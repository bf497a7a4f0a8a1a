import {
  IconApps,
  IconBell,
  IconBooks,
  IconBuilding,
  IconChecklist,
  IconClipboardCheck,
  IconFlag,
  IconHistory,
  IconLayoutDashboard,
  IconLifebuoy,
  IconLogin2,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconTags,
  IconUser,
  IconUserQuestion,
  IconUserShield,
  IconUsers,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { useHasApprovals } from '../features/approvals/own-approvals.queries.ts'
import { useHasReviews } from '../features/reviews/reviews.queries.ts'
import { useHasSupport } from '../features/support/support.queries.ts'
import { accountPages } from '../session/account-pages.ts'
import { useMe } from '../session/me.ts'
import { portalPreview, useBrand } from '../session/portal.ts'
import type { ShutOperation } from '../session/shut-operations.ts'
import { supportNow } from '../session/support.ts'
import type { TextKey } from '../translation.ts'

export interface OwnPage {
  to:
    | '/'
    | '/users'
    | '/roles'
    | '/applications'
    | '/resources'
    | '/grants'
    | '/reviews'
    | '/support'
    | '/approvals'
    | '/service-accounts'
    | '/webhooks'
    | '/flags'
    | '/tenants'
    | '/attributes'
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
const navGroups: NavGroup[] = [
  {
    title: 'shell.overview',
    pages: [
      { to: '/', title: 'places.dashboard', icon: IconLayoutDashboard, key: 'd', needs: 'dashboard:read' },
      { to: '/audit', title: 'places.audit', icon: IconHistory, key: 'a', needs: 'audit:read' },
    ],
  },
  {
    title: 'shell.platform',
    pages: [
      { to: '/tenants', title: 'places.tenants', icon: IconBuilding, key: 't', needs: 'tenant:read' },
      { to: '/attributes', title: 'places.attributes', icon: IconTags, key: 'b', needs: 'attribute:declare' },
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
  {
    title: 'shell.access',
    pages: [
      { to: '/users', title: 'places.users', icon: IconUsers, key: 'u', needs: 'user:read' },
      { to: '/roles', title: 'places.roles', icon: IconShieldCheck, key: 'r', needs: 'role:read' },
      { to: '/grants', title: 'places.grants', icon: IconChecklist, key: 'o', needs: 'grant:read' },
      { to: '/reviews', title: 'places.reviews', icon: IconClipboardCheck, key: 'm', needs: 'review:read' },
      { to: '/support', title: 'places.support', icon: IconLifebuoy, key: 'h', needs: 'support:allow' },
      {
        to: '/approvals',
        title: 'places.approvals',
        icon: IconUserQuestion,
        key: 'y',
        needs: 'approval:read',
      },
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
]

/** The navigation shows it to every caller, after the other pages. */
const inbox: OwnPage = {
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

/** The name of a page in the setting of the portal: the beginning of its address. */
const nameOfPage = (pathname: string): string => pathname.split('/')[1] || 'dashboard'

/** Only roles of the built-in tenant can hold permissions of these modules. */
const ofInstallation = /^(?:application|attribute|catalogue|flag|provider|tenant):/

/** Whether every tenant shares the page at an address of the console. */
export const isShared = (pathname: string): boolean =>
  navGroups
    .flatMap(({ pages }) => pages)
    .some(({ to, needs }) => nameOfPage(to) === nameOfPage(pathname) && ofInstallation.test(needs))

/** The operation that a page needs, for pages that a support session does not reach. */
const operationOf: Partial<Record<string, ShutOperation>> = {
  approvals: 'listApprovals',
  reviews: 'listReviews',
  support: 'listSupportSessions',
}

/** Whether the portal has a page. Every other page has its address in the console of a platform administrator alone. */
export const useIsOffered = (): ((page: { to: string; needs?: PermissionCode }) => boolean) => {
  const { pages } = useBrand()
  const { reaches } = useMe()
  const isPreview = portalPreview.useValue()
  const isInPortal = (page: string, needs: string): boolean =>
    // Notices lead to it, so every portal has it.
    page === 'support' ||
    ((pages === null || pages.includes(page)) && !(isPreview && ofInstallation.test(needs)))
  return ({ to, needs = '' }) => {
    const page = nameOfPage(to)
    const operation = operationOf[page]
    return (operation === undefined || reaches(operation)) && isInPortal(page, needs)
  }
}

/** The pages of the navigation that the person may open. */
export const useNavGroups = (): NavGroup[] => {
  const { can } = useMe()
  const isOffered = useIsOffered()
  const own: Partial<Record<NavPage['to'], boolean>> = {
    '/reviews': useHasReviews(),
    '/support': useHasSupport(),
    '/approvals': useHasApprovals(),
  }
  const mayOpen = ({ to, needs }: NavPage): boolean => can(needs) || own[to] === true
  return navGroups
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter((page) => mayOpen(page) && isOffered(page)),
    }))
    .filter(({ pages }) => pages.length > 0)
}

/** The notifications, unless the portal leaves them out. */
export const useInboxPage = (): OwnPage[] => (useIsOffered()(inbox) ? [inbox] : [])

/** The pages of palette and shortcuts, in their order. */
export const useOpenablePages = (): OwnPage[] => [
  ...useNavGroups().flatMap(({ pages }) => pages),
  ...useInboxPage(),
  // It is the account of the person, not that of the user as whom they work.
  ...(supportNow ? [] : [account]),
]

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

export const paletteKeys = isApple ? ['⌘', 'K'] : ['Ctrl', 'K']
