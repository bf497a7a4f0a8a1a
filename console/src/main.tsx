import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { Session } from '@tenantry/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from './i18n.ts'
import { forgetDrafts } from './components/use-draft.ts'
import { isAnythingHeld } from './components/held.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.ts'
import { client, onSignedOut } from './session/client.ts'
import { goOn, waitForSignIn } from './session/ended.ts'
import { meQuery } from './session/me.ts'
import { theme } from './theme.ts'

/** The page's policy accepts style elements with this nonce (server/src/http/console.ts); development has none. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// react-remove-scroll, which Mantine's dialogs use, reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

/**
 * Loads the page anew. In another tenant the address names nothing: there the list above a page with an id opens, without
 * the tenant in scope.
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

const isSamePerson = ({ userId, tenantId }: Session): boolean => {
  const me = queryClient.getQueryData(meQuery.queryKey)
  return me?.user.id === userId && me.tenant.id === tenantId
}

const isWorking = (): boolean => isAnythingHeld() && queryClient.getQueryData(meQuery.queryKey) !== undefined

/** Unsaved work waits for its person, who signs in again in a window over the page. */
const leave = async (farewell?: 'left' | 'deleted'): Promise<void> => {
  const session = await client.auth.session()
  const isToStay = farewell === undefined && isWorking()
  // Another session has begun. The page belongs to the former one, unless both are of one person.
  if (session) return isToStay && isSamePerson(session) ? goOn() : reopen(session)
  if (isToStay) return waitForSignIn()
  if (farewell !== undefined) forgetDrafts()
  const page = farewell ?? `ended=${encodeURIComponent(router.state.location.href)}`
  const href = `/sign-in#${page}`
  await router.navigate({ href, reloadDocument: true, replace: true, ignoreBlocker: true })
}

onSignedOut((farewell) => void leave(farewell))

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

// The history may keep a page of a session that has ended since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

void start()
