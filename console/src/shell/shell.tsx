import { Box, Group, Button, EmptyState } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useNotifications } from '@mantine/notifications'
import { Outlet, useLocation, Link, useMatches } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { IconLock } from '@tabler/icons-react'
import type { PermissionCode } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { lazyPart } from '../components/lazy-part.tsx'
import { useNamedPage, useWindowTitle } from '../components/window-title.ts'
import { useIsWaiting } from '../session/ended.ts'
import { useMe } from '../session/me.ts'
import { ReportedOutage, useOutage } from '../session/outage.ts'
import { useScope } from '../session/scope.ts'
import { useFocusKept, useFocusOnChange } from './focus.ts'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import { OutageBanner, useRenewal } from './outage-banner.tsx'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { useScopeTenant } from './tenants.ts'
import { useRemembering } from './recent.ts'
import { useLive } from './use-live.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useWindow } from './windows.tsx'
import { PageHeader } from '../components/page-header.tsx'

const Notices = lazyPart(async () => (await import('./notices.tsx')).Notices, null)
const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain)
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)

/** Fetched on first use. Each further use opens it again. */
const usePalette = () => {
  const [asked, setAsked] = useState(0)
  const open = (): void => setAsked((count) => count + 1)
  useHotkeys([['mod+K', open]], [])
  return { asked, open }
}

/**
 * The page, or the reason why the caller may not see it. A change of the tenant remounts it, which clears its state.
 */
const Page = () => {
  const { needs } = usePageData()
  const title = usePageTitle()
  const { can } = useMe()
  const { tenantId } = useScope()
  if (needs && !can(needs)) return <Forbidden title={title ?? ''} needs={needs} />
  return (
    <Fragment key={tenantId}>
      <Outlet />
    </Fragment>
  )
}

/** Fetched with the first notice. It stays mounted to fade notices out. */
const NoticeArea = () => {
  const { notifications } = useNotifications()
  const [isNeeded, setNeeded] = useState(false)
  if (notifications.length > 0 && !isNeeded) setNeeded(true)
  return isNeeded && <Notices />
}

/** Covers the page while its unsaved work waits for a sign-in. */
const Waiting = () => useIsWaiting() && <SignInAgain />

const useFrame = (): void => {
  const title = usePageTitle()
  useWindowTitle(useNamedPage() ?? title, useScopeTenant().name)
  useRemembering()
  useFocusOnChange(useLocation({ select: ({ pathname }) => pathname }))
  useFocusKept()
  useRenewal()
  useLive()
}

const SkipLink = () => {
  const { t } = useTranslation()
  return (
    <a className="skip" href="#content">
      {t('shell.skip')}
    </a>
  )
}

export const Shell = () => {
  const { t } = useTranslation()
  const [isMenuOpen, menu] = useDisclosure()
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const palette = usePalette()
  const outage = useOutage()
  const over = useWindow()
  useShortcuts({ onSearch: palette.open, onHelp: () => over.open('shortcuts') })
  useFrame()
  return (
    <>
      <SkipLink />
      <header className="frame-header">
        <Header isMenuOpen={isMenuOpen} onMenu={menu.toggle} onSearch={palette.open} onWindow={over.open} />
        <OtherTenantBar />
      </header>
      <nav className="frame-navigation" aria-label={t('shell.navigation')} inert={isNarrow && !isMenuOpen}>
        <Navigation onNavigate={menu.close} />
        <Box hiddenFrom="sm">
          <Group>
            <SchemeMenu />
            <LanguageMenu />
          </Group>
        </Box>
      </nav>
      <main id="content" tabIndex={-1}>
        <ReportedOutage value={outage}>
          {outage && <OutageBanner outage={outage} />}
          <Page />
        </ReportedOutage>
      </main>
      <NoticeArea />
      <Waiting />
      {palette.asked > 0 && <Palette key={palette.asked} onWindow={over.open} />}
      {over.element}
    </>
  )
}

/** Replaces a forbidden page: names the missing permission, and the users who can grant it. */
const Forbidden = ({ title, needs }: { title: string; needs: PermissionCode }) => {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        py="xl"
        icon={<IconLock size={32} stroke={1.5} />}
        title={t('common.refused')}
        description={t('common.needs', { needs })}
      >
        <EmptyState.Actions>
          <Button component={Link} to="/profile" variant="default">
            {t('common.seeRoles')}
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </>
  )
}

/** Says, below the header, that the pages show another tenant. */
const OtherTenantBar = () => {
  const { t } = useTranslation()
  const { name, isUnknown, isOwn } = useScopeTenant()
  if (isOwn) return null
  return (
    <div className="elsewhere">
      <b className="cut">
        {t('shell.elsewhere', { tenant: name ?? (isUnknown ? t('shell.tenantUnknown') : '…') })}
      </b>
      <Link to="/" search={{ tenant: undefined }}>
        {t('common.toOwnTenant')}
      </Link>
    </div>
  )
}

const usePageData = () => useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })

const usePageTitle = (): string | undefined => {
  const { t } = useTranslation()
  const { title } = usePageData()
  return title && t(title)
}
