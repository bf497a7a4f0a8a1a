import { useLocalStorage } from '@mantine/hooks'
import {
  IconApps,
  IconArrowsExchange,
  IconArrowUpCircle,
  IconBuilding,
  IconDownload,
  IconFlag,
  IconKeyboard,
  IconLogin2,
  IconLogout,
  IconMail,
  IconRobot,
  IconShieldCheck,
  IconUpload,
  IconUserPlus,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { useLackingFor } from '../features/webhooks/webhooks.queries.ts'
import { useMe, useOwnTenants } from '../session/me.ts'
import { supportNow } from '../session/support.ts'
import { useTranslation, type TextKey } from '../translation.ts'
import { useIsOffered, type OwnPage } from './nav-pages.ts'
import { askAndSignOut } from './use-switch.ts'
import type { WindowName } from './windows.tsx'

export interface Hit {
  key: string
  label: string
  description?: string
  icon: Icon
  run: () => void
  /** False if the palette stays open. */
  closeSpotlightOnTrigger?: false
}

interface Action {
  key: string
  title: TextKey
  icon: Icon
  /** A caller without this permission does not see the action. */
  needs?: PermissionCode
  /** The page to which the action belongs. A portal that leaves the page out leaves the action out. */
  page?: OwnPage['to']
  run: WindowName | '/connections/new' | '/users/import' | '/tenants?new=true' | (() => void)
  /** True if the palette stays open. */
  isOpening?: boolean
}

const actions: Action[] = [
  {
    key: 'invite',
    title: 'places.invite',
    icon: IconMail,
    needs: 'user:create',
    page: '/users',
    run: 'invite',
  },
  {
    key: 'createUser',
    title: 'places.createUser',
    icon: IconUserPlus,
    needs: 'user:create',
    page: '/users',
    run: 'createUser',
  },
  {
    key: 'import',
    title: 'places.userImport',
    icon: IconUpload,
    needs: 'user:create',
    page: '/users',
    run: '/users/import',
  },
  {
    key: 'export',
    title: 'places.exportUsers',
    icon: IconDownload,
    needs: 'user:read',
    page: '/users',
    run: 'exportUsers',
  },
  {
    key: 'role',
    title: 'places.createRole',
    icon: IconShieldCheck,
    needs: 'role:create',
    page: '/roles',
    run: 'createRole',
  },
  {
    key: 'connection',
    title: 'places.createConnection',
    icon: IconLogin2,
    needs: 'sso:manage',
    page: '/connections',
    run: '/connections/new',
  },
  {
    key: 'serviceAccount',
    title: 'places.createServiceAccount',
    icon: IconRobot,
    needs: 'service_account:create',
    page: '/service-accounts',
    run: 'createServiceAccount',
  },
  {
    key: 'application',
    title: 'places.createApplication',
    icon: IconApps,
    needs: 'application:manage',
    page: '/applications',
    run: 'createApplication',
  },
  {
    key: 'flag',
    title: 'places.createFlag',
    icon: IconFlag,
    needs: 'flag:manage',
    page: '/flags',
    run: 'createFlag',
  },
  {
    key: 'tenant',
    title: 'places.createTenant',
    icon: IconBuilding,
    needs: 'tenant:create',
    page: '/tenants',
    run: '/tenants?new=true',
  },
]

/** The actions that the caller may take now. */
const useActions = (onTenants: () => void): Action[] => {
  const { can } = useMe()
  const isOffered = useIsOffered()
  const hasTenants = useOwnTenants().length > 0 || can('tenant:enter')
  const canCreateWebhook = useLackingFor()({ all_tenants: false }).length === 0
  const isOpen = ({ page, needs }: Action): boolean =>
    (needs === undefined || can(needs)) &&
    (page === undefined || isOffered({ to: page, ...(needs && { needs }) }))
  const others: (Action & { isLeftOut?: boolean })[] = [
    {
      key: 'webhook',
      title: 'places.createWebhook',
      icon: IconWebhook,
      page: '/webhooks',
      run: 'createWebhook',
      isLeftOut: !canCreateWebhook,
    },
    {
      key: 'switchTenant',
      title: 'places.switchTenant',
      icon: IconArrowsExchange,
      run: onTenants,
      isOpening: true,
      isLeftOut: !hasTenants || supportNow !== undefined,
    },
    {
      key: 'elevation',
      title: 'elevation.title',
      icon: IconArrowUpCircle,
      run: 'elevation',
      isLeftOut: supportNow !== undefined,
    },
    { key: 'shortcuts', title: 'shell.shortcuts', icon: IconKeyboard, run: 'shortcuts' },
    { key: 'signOut', title: 'shell.signOut', icon: IconLogout, run: () => void askAndSignOut() },
  ]
  return [...actions, ...others.filter(({ isLeftOut }) => isLeftOut !== true)].filter(isOpen)
}

/** The actions that the browser remembers. */
const rememberedMax = 5

/** The actions of the palette: the last used ones, and the others. */
export const useActionHits = (onWindow: (name: WindowName) => void, onTenants: () => void) => {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [used, setUsed] = useLocalStorage<string[]>({
    key: 'tenantry.actions',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const take = ({ key, run }: Action): void => {
    setUsed([key, ...used.filter((one) => one !== key)].slice(0, rememberedMax))
    if (typeof run === 'function') run()
    else if (run.startsWith('/')) void navigate({ to: '/', href: run })
    else onWindow(run as WindowName)
  }
  const hits = useActions(onTenants).map((action): Hit => ({
    key: action.key,
    label: t(action.title),
    icon: action.icon,
    run: () => take(action),
    ...(action.isOpening && { closeSpotlightOnTrigger: false }),
  }))
  return {
    recent: used.flatMap((key) => hits.filter((one) => one.key === key)),
    others: hits.filter(({ key }) => !used.includes(key)),
  }
}
