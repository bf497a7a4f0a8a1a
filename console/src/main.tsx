import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { Session } from '@tenantry/client'
import { StrictMode, useEffect, useMemo, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadProductTheme, useProductTheme } from './dress.ts'
import { showIcon } from './hosted/icon.ts'
import { startI18n } from './i18n.ts'
import { hasUnsavedWork } from './components/unsaved-work.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.ts'
import { client, onSignedOut, signInPending } from './session/client.ts'
import { forgetDrafts } from './session/drafts.ts'
import { meQuery } from './session/me.ts'
import { useBrand } from './session/portal.ts'
import { theme } from './theme.ts'

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

/** Shows colour and icon of the product. */
const Dressed = ({ children }: { children: ReactNode }) => {
  const { color, icon, logo, isProduct } = useBrand()
  // An empty picture replaces the icon of Tenantry.
  const image = icon || logo || (isProduct ? 'data:,' : '')
  useEffect(() => showIcon(image), [image])
  const product = useProductTheme()
  useEffect(() => {
    if (color !== '') void loadProductTheme()
  }, [color])
  const dress = useMemo(
    () => (color === '' ? undefined : product?.themeOf(color)) ?? { theme },
    [color, product],
  )
  return (
    <MantineProvider {...dress} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      {children}
    </MantineProvider>
  )
}

const start = async (): Promise<void> => {
  await startI18n('entry')
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Dressed>
          <RouterProvider router={router} />
        </Dressed>
      </QueryClientProvider>
    </StrictMode>,
  )
}

// The browser can restore a page whose session has ended since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

void start()
