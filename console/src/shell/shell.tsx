import { Box, Group } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { useNotifications } from '@mantine/notifications'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Forbidden } from '../components/forbidden.tsx'
import { lazyPart } from '../components/lazy-part.tsx'
import { useNamedPage, useWindowTitle } from '../components/window-title.ts'
import { useIsWaiting } from '../session/ended.ts'
import { useMe } from '../session/me.ts'
import { ReportedOutage, useOutage } from '../session/outage.ts'
import { useScope } from '../session/scope.ts'
import { useFocusKept, useFocusOnChange } from './focus.ts'
import { Elsewhere } from './elsewhere.tsx'
import { Header } from './header.tsx'
import { Navigation } from './navigation.tsx'
import { OutageBanner, useRenewal } from './outage-banner.tsx'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { useScopeTenant } from './tenants.ts'
import { usePageData, usePageTitle } from './page-data.ts'
import { useRemembering } from './recent.ts'
import { useLive } from './use-live.ts'
import { useShortcuts } from './use-shortcuts.ts'
import { useWindow } from './windows.tsx'

const Notices = lazyPart(async () => (await import('./notices.tsx')).Notices, null)
const SignInAgain = lazyPart(async () => (await import('./sign-in-again.tsx')).SignInAgain)
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)

/** Fetched on first use; each further use opens it anew. */
const usePalette = () => {
  const [asked, setAsked] = useState(0)
  const open = (): void => setAsked((count) => count + 1)
  useHotkeys([['mod+K', open]], [])
  return { asked, open }
}

/** The page, or the reason why the caller may not see it. Another tenant remounts it, which clears its state. */
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

/** Fetched with the first notice, and stays to fade notices out. */
const NoticeArea = () => {
  const { notifications } = useNotifications()
  const [isNeeded, setNeeded] = useState(false)
  if (notifications.length > 0 && !isNeeded) setNeeded(true)
  return isNeeded && <Notices />
}

/** Stands over the page while its unsaved work waits for a sign-in. */
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
        <Elsewhere />
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
