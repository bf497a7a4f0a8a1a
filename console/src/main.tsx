import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from './i18n.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.ts'
import { client, onSignedOut } from './session/client.ts'
import { theme } from './theme.ts'

/** What the policy of the page lets style elements in by (server/src/http/console.ts); nothing of it in development. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// react-remove-scroll, below Mantine's dialogs, looks for it here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

/** Asks nothing: without the session nothing that is held can be saved any more. */
const leave = async (isOwnDoing: boolean): Promise<void> => {
  if (await client.auth.session()) {
    // Somebody else has signed in in another tab: nothing here is theirs.
    return router.navigate({
      to: '.',
      search: true,
      reloadDocument: true,
      replace: true,
      ignoreBlocker: true,
    })
  }
  const { href } = router.state.location
  const search = isOwnDoing ? {} : { next: href, ended: true }
  await router.navigate({ to: '/sign-in', search, ignoreBlocker: true })
  // Not before: the pages that are left would ask again, and show that nobody is signed in.
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
