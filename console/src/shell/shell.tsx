import { Alert, Box, Button, EmptyState, Group, Skeleton, Text } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useNotifications } from '@mantine/notifications'
import { IconCloudOff, IconLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation, useMatches } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { Fragment, useEffect, useEffectEvent, useState } from 'react'
import { ErrorPanel } from '../components/error-panel.tsx'
import { lazyPart } from '../components/lazy-part.tsx'
import { NotFound } from '../components/route-error.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { useNamedPage, useWindowTitle } from '../components/window-title.ts'
import { useFormat } from '../format.ts'
import { loadPage } from '../i18n.ts'
import { loadPart } from '../load-part.ts'
import { signInPending } from '../session/client.ts'
import { useInboxKey, useUnread } from '../session/inbox.ts'
import { accountPages } from '../session/account-pages.ts'
import { useMe } from '../session/me.ts'
import { ReportedOutage, useAfterOutage, useOutage, type Outage } from '../session/outage.ts'
import { portalPreview } from '../session/portal.ts'
import { useScope } from '../session/scope.ts'
import { supportNow } from '../session/support.ts'
import { useTranslation } from '../translation.ts'
import { useFocusKept, useFocusOnChange } from './focus.ts'
import { Header, Home } from './header.tsx'
import { isShared, useIsOffered, useNavGroups } from './nav-pages.ts'
import { Navigation } from './navigation.tsx'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { useRemembering } from './recent.ts'
import { useScopeTenant } from './tenants.ts'
import { useLastTenant, useRememberingTenant } from './use-last-tenant.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { AskedStatusWindow, AskedWindow, RefusedChangeWindow, useWindow } from './windows.tsx'

const Notices = lazyPart(async () => (await import('./notices.tsx')).Notices, null)
const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain)
const ElevationBar = lazyPart(async () => (await import('./elevation-bar.tsx')).ElevationBar, null)
const ScopeBar = lazyPart(
  async () => (await import('./scope-bar.tsx')).ScopeBar,
  <div className="elsewhere" />,
)
const LastTenantBar = lazyPart(
  async () => (await import('./last-tenant-bar.tsx')).LastTenantBar,
  <Skeleton height={44} mb="md" />,
)
const loadSupportFrame = loadPage(['support'], () => import('./support-frame.tsx'))
const SupportFrame = lazyPart(
  async () => (await loadSupportFrame()).SupportFrame,
  <div className="elsewhere support-bar" />,
)
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)

/** The palette is fetched on its first use. Each further use opens it again. */
const usePalette = () => {
  const [asked, setAsked] = useState(0)
  const open = (): void => setAsked((count) => count + 1)
  useHotkeys([['mod+K', open]], [])
  return { asked, open }
}

/** The page, or the reason why the caller may not see it. */
const Page = () => {
  const { needs } = usePageData()
  const title = usePageTitle()
  const { can } = useMe()
  const to = useLocation({ select: ({ pathname }) => pathname })
  if (!useIsOffered()({ to, ...(needs && { needs }) })) return <NotOffered to={to} />
  if (needs && !can(needs)) return <Forbidden title={title ?? ''} needs={needs} />
  return <TenantPage title={title ?? ''} isOfAll={isShared(to)} />
}

/** Another tenant mounts the page again, which clears its state. */
const TenantPage = ({ title, isOfAll }: { title: string; isOfAll: boolean }) => {
  const { tenantId } = useScope()
  const { missing } = useScopeTenant()
  if (missing && !isOfAll) {
    return (
      <>
        <PageHeader title={title} />
        <ErrorPanel error={missing} />
      </>
    )
  }
  return (
    <Fragment key={tenantId}>
      <Outlet />
    </Fragment>
  )
}

/** Replaces a page that the portal leaves out. A portal without a dashboard begins with its first page. */
const NotOffered = ({ to }: { to: string }) => {
  const first = useNavGroups()[0]?.pages[0]
  return to === '/' && first ? <Navigate to={first.to} replace /> : <NotFound />
}

const OtherScope = () => {
  const isPreview = portalPreview.useValue()
  const { isOwn } = useScope()
  return (isPreview || !isOwn) && <ScopeBar />
}

const LastTenant = () => {
  const id = useLastTenant()
  return id !== undefined && <LastTenantBar id={id} />
}

/** Fetched with the first notice. It stays mounted, so that notices can fade out. */
const NoticeArea = () => {
  const { notifications } = useNotifications()
  const [isNeeded, setNeeded] = useState(false)
  if (notifications.length > 0 && !isNeeded) setNeeded(true)
  return isNeeded && <Notices />
}

/** Covers a page with unsaved work until the person signs in again. */
const Waiting = () => signInPending.useValue() && <SignInAgain />

const useFrame = (): void => {
  const title = usePageTitle()
  useWindowTitle(useNamedPage() ?? title, useScopeTenant().name)
  useRemembering()
  useRememberingTenant()
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
  const { isElevated } = useMe()
  useShortcuts({ onSearch: palette.open, onHelp: () => over.open('shortcuts') })
  useFrame()
  return (
    <>
      <SkipLink />
      <header className="frame-header">
        <Header isMenuOpen={isMenuOpen} onMenu={menu.toggle} onSearch={palette.open} onWindow={over.open} />
        <OtherScope />
        {supportNow ? <SupportFrame now={supportNow} /> : isElevated && <ElevationBar />}
      </header>
      <nav className="frame-navigation" aria-label={t('shell.navigation')} inert={isNarrow && !isMenuOpen}>
        <Box hiddenFrom="sm" mb="sm" px="sm">
          <Home onClick={menu.close} />
        </Box>
        <Navigation onNavigate={menu.close} />
        {/* Aligns their icons with those of the links. */}
        <Box hiddenFrom="sm" px={5}>
          <Group gap={6}>
            <SchemeMenu />
            <LanguageMenu />
          </Group>
        </Box>
      </nav>
      <main id="content" tabIndex={-1}>
        <ReportedOutage value={outage}>
          {outage && <OutageBanner outage={outage} />}
          <LastTenant />
          <Page />
        </ReportedOutage>
      </main>
      <NoticeArea />
      <Waiting />
      {palette.asked > 0 && <Palette key={palette.asked} onWindow={over.open} />}
      {over.element}
      <RefusedChangeWindow />
      <AskedStatusWindow />
      <AskedWindow />
    </>
  )
}

/** Replaces a forbidden page. Names the missing permission, and users who can grant it. */
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
        {!supportNow && (
          <EmptyState.Actions>
            <Button component="a" href={accountPages.organizations} variant="default">
              {t('common.seeRoles')}
            </Button>
          </EmptyState.Actions>
        )}
      </EmptyState>
    </>
  )
}

const usePageData = () => useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })

const usePageTitle = (): string | undefined => {
  const { t } = useTranslation()
  const { title } = usePageData()
  return title && t(title)
}

const probeMs = 5000

/** Reports an outage once for the whole page. The next answer of the service removes the report. */
const OutageBanner = ({ outage: { isDatabase, since } }: { outage: Outage }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { refetch, isFetching } = useUnread()
  const probe = useEffectEvent(() => void refetch({ cancelRefetch: false }))
  useEffect(() => {
    const timer = setInterval(() => probe(), probeMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Alert color="orange" icon={<IconCloudOff />} className="outage" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex="1 1 15rem">
          <b>{isDatabase ? t('shell.databaseAway') : t('shell.serviceAway')}</b>{' '}
          {t('shell.awaySince', { since: format.moment(since) })}
        </Text>
        <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </Group>
    </Alert>
  )
}

/** Loads the failed parts of the page again. */
const useRenewal = (): void => {
  const queries = useQueryClient()
  useAfterOutage(() => {
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  })
}

const loadLiveEvents = loadPart(() => import('./live-events.ts'))

/** The delay of the stream, because the page's own parts and requests come first. */
const delayMs = 1000

const useLive = (): void => {
  const queries = useQueryClient()
  const inboxKey = useInboxKey()
  const { tenantId } = useScope()
  const isWaiting = signInPending.useValue()
  const join = useEffectEvent(async (tenant: string, signal: AbortSignal) => {
    const { joinLive } = await loadLiveEvents()
    await joinLive(tenant, { queries, inboxKey }, signal)
  })
  useEffect(() => {
    // A support session has no stream of its own.
    if (isWaiting || supportNow) return undefined
    const leaving = new AbortController()
    // If the part cannot be loaded, the page works without the stream.
    const begin = (): void => void join(tenantId, leaving.signal).catch(() => undefined)
    const timer = setTimeout(begin, delayMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [tenantId, isWaiting])
}
