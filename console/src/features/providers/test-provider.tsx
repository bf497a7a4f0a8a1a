import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Provider } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import type { TestResult } from './providers.search.ts'
import { useRenew } from '../../components/use-renew.ts'

const passed: TestResult[] = ['known', 'proof', 'new', 'refused']

interface TestProviderProps {
  provider: Provider
  /** The result of a test that has just come back to this page. */
  result: TestResult | undefined
}

/** Tests a sign-in, without a session for anybody, and activates the provider. */
export const TestProvider = ({ provider, result }: TestProviderProps) => {
  const { t } = useTranslation()
  const { id, status } = provider
  const hasPassed = result !== undefined && passed.includes(result)
  const starting = useMutation({
    mutationFn: () => client.providers.test(id),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <SectionCard title={t('providers.test')} hint={t('providers.testHint')}>
      <Stack>
        {starting.error && <ErrorPanel error={starting.error} />}
        {result && <Result result={result} />}
        <Group>
          <Button
            variant={hasPassed ? 'default' : 'filled'}
            loading={starting.isPending || starting.isSuccess}
            onClick={() => starting.mutate()}
          >
            {t(result ? 'connections.testAgain' : 'connections.testNow')}
          </Button>
        </Group>
        {status !== 'active' && <Activate provider={provider} hasPassed={hasPassed} />}
      </Stack>
    </SectionCard>
  )
}

const Result = ({ result }: { result: TestResult }) => {
  const { t } = useTranslation()
  const isGood = passed.includes(result)
  return (
    <Alert
      role="status"
      color={isGood ? 'teal' : 'red'}
      icon={isGood ? <IconCheck /> : <IconAlertTriangle />}
      title={t(isGood ? 'connections.testPassed' : 'connections.testFailed')}
    >
      {t(`providerTests.${result}`)}
    </Alert>
  )
}

interface ActivateProps {
  provider: Provider
  /** True after a test in this window. The service knows of earlier ones. */
  hasPassed: boolean
}

const Activate = ({ provider: { id, name }, hasPassed }: ActivateProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const activating = useMutation({
    mutationFn: () => client.providers.update(id, { status: 'active' }),
    onSuccess: () => {
      notify(t('providers.isActive', { name }))
      return renew()
    },
  })
  return (
    <>
      {activating.error && <ErrorPanel error={activating.error} />}
      <Group>
        <Button
          variant={hasPassed ? 'filled' : 'default'}
          loading={activating.isPending}
          onClick={() => activating.mutate()}
        >
          {t('connections.activate')}
        </Button>
        {!hasPassed && (
          <Text size="sm" c="dimmed">
            {t('connections.activateNeeds')}
          </Text>
        )}
      </Group>
    </>
  )
}
