import { Skeleton } from '@mantine/core'
import { lazyPart } from '../../components/lazy-part.tsx'
import { loadPage } from '../../i18n.ts'

/** Lazy, because it includes the texts of all reasons. */
export const TestConnection = lazyPart(
  async () =>
    (await loadPage(['sso', 'ssoAttempts'], () => import('./test-connection.tsx'))()).TestConnection,
  <Skeleton height={180} />,
)
