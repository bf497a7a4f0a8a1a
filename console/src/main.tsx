import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { MantineProvider, createTheme } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { Session } from '@tenantry/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from './i18n.ts'
import { forgetDrafts } from './components/use-draft.ts'
import { hasUnsavedWork } from './components/unsaved-work.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.ts'
import { client, onSignedOut, signInPending } from './session/client.ts'
import { meQuery } from './session/me.ts'

/** Texts on colours are dark or light, depending on the contrast. app.css has the other styles. */
const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  autoContrast: true,
  cursorType: 'pointer',
  headings: { fontWeight: '600' },
  // A menu contains only items, so its first item gets the focus (WAI-ARIA).
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
})

/** The page's policy accepts style elements with this nonce (server/src/http/console.ts). Development has none. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// react-remove-scroll, which Mantine's dialogs use, reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

/**
 * Reloads the page. If the session has another tenant, the id of a detail page is unknown there. Then the list that
 * contains the page opens, without the tenant in scope.
 */
const reopen = ({ tenantId }: Session): Promise<void> => {
  const former = queryClient.getQueryData(meQuery.queryKey)?.tenant.id
  const isElsewhere = former !== undefined && former !== tenantId
  const isDetail = Object.keys(router.state.matches.at(-1)?.params ?? {}).length > 0
  return router.navigate({
    to: isElsewhere && isDetail ? '..' : '.',
    search: isElsewhere ? { tenant: undefined } : true,
    reloadDocument: true,
    replace: true,
    ignoreBlocker: true,
  })
}

const isSameUser = ({ userId, tenantId }: Session): boolean => {
  const me = queryClient.getQueryData(meQuery.queryKey)
  return me?.user.id === userId && me.tenant.id === tenantId
}

const isWorking = (): boolean => hasUnsavedWork() && queryClient.getQueryData(meQuery.queryKey) !== undefined

/** Keeps unsaved work until its person signs in again, in a window over the page. */
const leave = async (reason?: 'left' | 'deleted'): Promise<void> => {
  const session = await client.auth.session()
  const isToStay = reason === undefined && isWorking()
  // A new session has begun. The page belongs to the earlier session, unless both belong to one person.
  if (session) return isToStay && isSameUser(session) ? signInPending.set(false) : reopen(session)
  if (isToStay) return signInPending.set(true)
  if (reason !== undefined) forgetDrafts()
  const page = reason ?? `ended=${encodeURIComponent(router.state.location.href)}`
  const href = `/sign-in#${page}`
  await router.navigate({ href, reloadDocument: true, replace: true, ignoreBlocker: true })
}

onSignedOut((reason) => void leave(reason))

const start = async (): Promise<void> => {
  await startI18n('entry')
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

// The browser can restore a page whose session has ended since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

void start()
