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
import { onSignedOut } from './session/client.ts'
import { theme } from './theme.ts'

/** What the policy of the page lets style elements in by (server/src/http/console.ts); nothing of it in development. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// react-remove-scroll, below Mantine's dialogs, looks for it here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })

onSignedOut((isExpired) => {
  const { href } = router.state.location
  const leaving = router.navigate({ to: '/sign-in', search: isExpired ? { next: href, ended: true } : {} })
  // Not before: the pages that are left would ask again, and show that nobody is signed in.
  void leaving.finally(() => queryClient.clear())
})

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
