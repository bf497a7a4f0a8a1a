import { Card, EmptyState, Group, Skeleton, Text, Title } from '@mantine/core'
import { IconChartAreaLine } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { DayActivity, Tenant } from '@tenantry/client'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useScope } from '../../session/scope.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import { DayChart } from './day-chart.tsx'

const chartHeight = 296

const useActivity = (days: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['dashboard', tenantId, 'activity', days],
    queryFn: async ({ signal }) => (await api.dashboard.activity({ days }, { signal })).items,
    placeholderData: keepPreviousData,
    refetchInterval: 300_000,
  })
}

export const SignUps = ({ days, control }: { days: number; control?: ReactNode }) => {
  const { t } = useTranslation()
  const { data, error, refetch } = useActivity(days)
  return (
    <Panel title={t('dashboard.overTime')} hint={t('dashboard.overTimeHint')} control={control}>
      {error && !data ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Days items={data} />}
    </Panel>
  )
}

/** True on the first day without imported days: a curve of one day would be a point. */
const isFirstDay = (items: DayActivity[], { created_at }: Tenant): boolean =>
  items.at(-1)?.date === created_at.slice(0, 10) &&
  items.slice(0, -1).every((day) => day.sign_ups === 0 && day.active_users === 0)

const Days = ({ items }: { items: DayActivity[] | undefined }) => {
  const { t } = useTranslation()
  const { tenant, isUnknown } = useScopeTenant()
  if (!items || !(tenant || isUnknown)) return <Skeleton height={chartHeight} />
  if (tenant && isFirstDay(items, tenant)) {
    return (
      <EmptyState
        py="xl"
        icon={<IconChartAreaLine size={28} stroke={1.5} />}
        title={t('dashboard.firstDay')}
        description={t('dashboard.firstDayHint')}
      />
    )
  }
  return <DayChart items={items} />
}

interface PanelProps {
  title: string
  hint: string
  control?: ReactNode
  children: ReactNode
}

export const Panel = ({ title, hint, control, children }: PanelProps) => (
  <Card withBorder padding="lg" h="100%">
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" mih={20}>
          {hint}
        </Text>
      </div>
      {control}
    </Group>
    {children}
  </Card>
)
