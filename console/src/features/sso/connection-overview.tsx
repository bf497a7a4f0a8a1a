import { Stack, Skeleton } from '@mantine/core'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import { Addresses } from './addresses.tsx'
import type { ConnectionProps } from './connection-page.tsx'
import { GuideButton } from './guide-button.tsx'
import { ProviderForm } from './provider-form.tsx'
import { providerOf } from './provider-of.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { loadPage } from '../../i18n.ts'

/** Lazy, because it includes the texts of all reasons. */
const TestConnection = lazyPart(
  async () =>
    (await loadPage(['sso', 'ssoAttempts'], () => import('./test-connection.tsx'))()).TestConnection,
  <Skeleton height={180} />,
)

export const ConnectionOverview = (props: ConnectionProps) => {
  const { t } = useTranslation()
  const { connection } = props
  return (
    <Stack maw={900}>
      <TestConnection {...props} />
      <SectionCard title={t('connections.addresses')} hint={t('connections.registerHint')}>
        <Stack>
          <Addresses connection={connection} />
          <GuideButton provider={providerOf(connection)} part={connection.type} connection={connection} />
        </Stack>
      </SectionCard>
      <ProviderForm {...props} />
    </Stack>
  )
}
