import { Anchor, Button, Group, Loader, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Connection, Domain } from '@tenantry/client'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { Checklist } from '../../components/step-item.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { everyAttempt, isProved, isTest, useAttempts, useUpdateConnection } from './sso.queries.ts'

const loadOutcome = loadPage(['sso', 'ssoAttempts'], () => import('./test-outcome.tsx'))

const TestOutcome = lazyPart(async () => (await loadOutcome()).TestOutcome, <Skeleton height={120} />)

/** The polling interval while a test is open in the other tab. */
const waitingMs = 2000
const restingMs = 60_000

interface OpenTest {
  /** The id of the newest sign-in before the test. */
  after: number
  /** The address of the test, if the browser has opened no tab. */
  url: string | undefined
}

/** Opens a tab. Call it directly in the handler of a click: later, the browser would block it as an advertisement. */
const openTab = (): Window | null => {
  const tab = window.open('about:blank', '_blank')
  if (tab) tab.opener = null
  return tab
}

/** Opens the test in the tab, and reports the newest sign-in before it. */
const useStart = ({ id }: Connection, onOpen: (open: OpenTest) => void) => {
  const { api } = useScope()
  const { refetch } = useAttempts(id, everyAttempt)
  return useMutation({
    mutationFn: async (tab: Window | null) => {
      const { data: before } = await refetch()
      const { url } = await api.sso.testConnection(id)
      if (tab) tab.location.href = url
      onOpen({ after: before?.items[0]?.id ?? 0, url: tab ? undefined : url })
    },
    onError: (_, tab) => tab?.close(),
  })
}

/**
 * The newest test. A failure older than the connection's last change does not count. While a test runs, only its result
 * counts.
 */
const useTest = (connection: Connection) => {
  const [open, setOpen] = useState<OpenTest>()
  const starting = useStart(connection, setOpen)
  const { data } = useAttempts(connection.id, everyAttempt, open ? waitingMs : restingMs)
  const newest = data?.items.find((one) => isTest(one) && one.id > (open?.after ?? 0))
  const isOver = newest?.outcome === 'test_failed' && newest.at < connection.updated_at
  const last = isOver ? undefined : newest
  return { starting, last, isPassed: last?.outcome === 'test_passed', open: last ? undefined : open }
}

/**
 * Tests a sign-in, without a session for anybody. Shows the outcome, and activates the connection after a passed test.
 */
export const TestConnection = ({ connection, domains, canChange }: ConnectionProps) => {
  const { t } = useTranslation()
  return (
    canChange && (
      <SectionCard title={t('connections.test')} hint={t('connections.testHint')}>
        <Test connection={connection} domains={domains} />
      </SectionCard>
    )
  )
}

const Test = ({ connection, domains }: Omit<ConnectionProps, 'canChange'>) => {
  const { can } = useMe()
  const { starting, last, isPassed, open } = useTest(connection)
  const toActivate = can('sso:manage') && connection.status !== 'active'
  return (
    <Stack>
      {starting.error && <ErrorPanel error={starting.error} />}
      <Group>
        <StartTest starting={starting} isFirst={!last && !open} isPassed={isPassed} />
        {toActivate && <Activation connection={connection} isPassed={isPassed} />}
      </Group>
      {toActivate && <Needs hasDomain={leadsHere(connection, domains)} isPassed={isPassed} />}
      <div role="status">
        {open && <WaitingForTest url={open.url} />}
        {last && <TestOutcome attempt={last} />}
      </div>
    </Stack>
  )
}

interface StartTestProps {
  starting: ReturnType<typeof useStart>
  isFirst: boolean
  isPassed: boolean
}

const StartTest = ({ starting, isFirst, isPassed }: StartTestProps) => {
  const { t } = useTranslation()
  return (
    <Button
      variant={isPassed ? 'default' : 'filled'}
      loading={starting.isPending}
      onClick={() => starting.mutate(openTab())}
    >
      {t(isFirst ? 'connections.testNow' : 'connections.testAgain')}
    </Button>
  )
}

const WaitingForTest = ({ url }: Pick<OpenTest, 'url'>) => {
  const { t } = useTranslation()
  return (
    <Stack gap="xs">
      {url !== undefined && (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {t('connections.testOpen')}
        </Anchor>
      )}
      <Group gap="xs" wrap="nowrap">
        <Loader size="xs" />
        <Text size="sm">{t('connections.testWaiting')}</Text>
      </Group>
      <Text size="sm" c="dimmed">
        {t('connections.testStuck')}
      </Text>
    </Stack>
  )
}

/** True if people of a verified domain sign in through the connection. */
const leadsHere = (connection: Connection, domains: Domain[]): boolean =>
  domains.some((one) => isProved(one) && connection.domains.includes(one.domain))

/** The conditions of a connection that people can use. The service requires the test alone. */
const Needs = ({ hasDomain, isPassed }: { hasDomain: boolean; isPassed: boolean }) => {
  const { t } = useTranslation()
  return (
    <Checklist
      label={t('connections.needs')}
      items={[
        {
          key: 'domain',
          isMet: hasDomain,
          title: t('connections.needsDomain'),
          todo: t('connections.toDomain'),
        },
        { key: 'test', isMet: isPassed, title: t('connections.needsTest'), todo: t('connections.toTest') },
      ]}
      sign={(isMet) => t(isMet ? 'connections.isDone' : 'connections.isOpen')}
    />
  )
}

interface ActivateProps {
  connection: Connection
  isPassed: boolean
}

const Activation = ({ connection, isPassed }: ActivateProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const activating = useUpdateConnection(connection, () =>
    notify(t('connections.isActive', { name: connection.name })),
  )
  return (
    <>
      <Button
        disabled={!isPassed}
        loading={activating.isPending}
        onClick={() => activating.mutate({ status: 'active' })}
      >
        {t('connections.activate')}
      </Button>
      {activating.error && <ErrorPanel error={activating.error} />}
    </>
  )
}
