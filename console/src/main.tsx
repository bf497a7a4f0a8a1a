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
import { queryClient } from './query-client.ts'
import { router } from './router.ts'
import { client, onSignedOut } from './session/client.ts'
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

/** Asks no question, because unsaved work cannot be saved without a session. */
const leave = async (isOwnDoing: boolean): Promise<void> => {
  const session = await client.auth.session()
  // Another session has begun, and this page belongs to the former one.
  if (session) return reopen(session)
  const { href } = router.state.location
  const search = isOwnDoing ? {} : { next: href, ended: true }
  await router.navigate({ to: '/sign-in', search, ignoreBlocker: true })
  // Clearing earlier would make the open page ask again and show an error.
  queryClient.clear()
}

onSignedOut((isOwnDoing) => void leave(isOwnDoing))

const start = async (): Promise<void> => {
  await startI18n()
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

void start()
