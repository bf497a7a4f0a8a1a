import { Badge, Card, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useOutage } from '../../session/outage.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { Activity } from './activity.tsx'
import { Attention } from './attention.tsx'
import { defaultPeriod, periods } from './dashboard.search.ts'
import { SignUps } from './dashboard.views.tsx'
import { FirstSteps } from './first-steps.tsx'
import { StatCards } from './stat-cards.tsx'

const firstSteps = [
  'tenant:create',
  'user:create',
  'role:create',
  'service_account:create',
  'sso:manage',
] as const

/**
 * The browser remembers the tenants whose first week is over. Later visits then make no requests for the first steps.
 */
const useFirstWeek = (tenantId: string) => {
  const { can } = useMe()
  const [over, setOver] = useLocalStorage<string[]>({
    key: 'tenantry.settled',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const end = useCallback(() => setOver((ids) => [...ids, tenantId]), [setOver, tenantId])
  return { isOver: over.includes(tenantId) || !firstSteps.some(can), end }
}

export const DashboardPage = () => {
  const { tenantId } = useScope()
  return <Dashboard key={tenantId} tenantId={tenantId} />
}

/** The first steps push the page down, so the page waits for them, unless they need no request. */
const Dashboard = ({ tenantId }: { tenantId: string }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { isOver, end } = useFirstWeek(tenantId)
  const [isKnown, setKnown] = useState(false)
  const know = useCallback(() => setKnown(true), [])
  const isWaiting = useOutage() === undefined && !isOver && !isKnown
  return (
    <>
      <PageHeader title={t('places.dashboard')} description={t('dashboard.description')} />
      <Stack gap="md">
        {!isOver && <FirstSteps onKnown={know} onDone={end} />}
        {isWaiting && <Skeleton height={480} />}
        <Stack gap="md" display={isWaiting ? 'none' : 'flex'}>
          <StatCards />
          <Attention />
          <OverTime />
          {can('audit:read') && <Activity />}
          {/* Every user may request it. It is shown to callers who see all tenants, because they operate the
             installation. */}
          {can('tenant:read') && <Health />}
        </Stack>
      </Stack>
    </>
  )
}

const route = getRouteApi('/shell/')

const PeriodControl = ({ days }: { days: number }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const choose = (value: string): void => {
    const chosen = periods.find((period) => String(period) === value)
    const period = chosen === defaultPeriod ? undefined : chosen
    void navigate({ search: (search) => ({ ...search, days: period }), replace: true, resetScroll: false })
  }
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('dashboard.period')}
      value={String(days)}
      onChange={choose}
      data={periods.map((count) => ({ value: String(count), label: t('dashboard.days', { count }) }))}
    />
  )
}

const OverTime = () => {
  const { days = defaultPeriod } = route.useSearch()
  return <SignUps days={days} control={<PeriodControl days={days} />} />
}

const State = ({ label, isUp }: { label: string; isUp: boolean }) => {
  const { t } = useTranslation()
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Badge variant="dot" color={isUp ? 'teal' : 'red'} tt="none" fw={500}>
        {isUp ? t('dashboard.up') : t('dashboard.down')}
      </Badge>
    </Group>
  )
}

const Health = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.system.readiness({ signal }),
    refetchInterval: 15_000,
  })
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('dashboard.health')}
      </Title>
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={{ base: 'sm', sm: 'xl' }}>
          <State label={t('dashboard.service')} isUp={data.status === 'ready'} />
          <State label={t('dashboard.database')} isUp={data.database === 'up'} />
          <State label={t('dashboard.cache')} isUp={data.cache === 'up'} />
        </SimpleGrid>
      ) : (
        <Skeleton height={24} />
      )}
    </Card>
  )
}
