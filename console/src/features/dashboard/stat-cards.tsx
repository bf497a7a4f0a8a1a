import { Card, Group, SimpleGrid, Skeleton, Text, ThemeIcon } from '@mantine/core'
import {
  IconBuilding,
  IconShieldLock,
  IconTrendingDown,
  IconTrendingUp,
  IconUserCheck,
  IconUsers,
  IconWifi,
  type Icon,
} from '@tabler/icons-react'
import type { Stats } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useStats } from './use-stats.ts'

interface StatCardProps {
  label: string
  icon: Icon
  value: number | undefined
  /** Percent against 30 days ago; undefined for figures without a past. */
  growth?: number | undefined
  hint: string
}

const Growth = ({ growth }: { growth: number }) => {
  const format = useFormat()
  if (growth === 0) return <Text size="sm">{format.change(0)}</Text>
  const isUp = growth > 0
  return (
    <Group gap={4} c={isUp ? 'var(--text-good)' : 'var(--text-bad)'}>
      {isUp ? <IconTrendingUp size={16} /> : <IconTrendingDown size={16} />}
      <Text size="sm" fw={500} className="numbers">
        {format.change(growth)}
      </Text>
    </Group>
  )
}

const StatCard = ({ label, icon: Icon, value, growth, hint }: StatCardProps) => {
  const format = useFormat()
  return (
    <Card withBorder padding="md">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Text size="sm" c="dimmed" fw={500}>
          {label}
        </Text>
        <ThemeIcon variant="light" size="md">
          <Icon size={16} />
        </ThemeIcon>
      </Group>
      {value === undefined ? (
        <Skeleton height={32} width={80} />
      ) : (
        <Text fz={28} lh="32px" fw={600} className="numbers">
          {format.count(value)}
        </Text>
      )}
      <Group gap={6} mt="xs" mih={22}>
        {growth !== undefined && <Growth growth={growth} />}
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </Group>
    </Card>
  )
}

const useCards = (stats: Stats | undefined): StatCardProps[] => {
  const { t } = useTranslation()
  const { can } = useMe()
  const hint = t('dashboard.than')
  const { userCount, userGrowth, roleCount, roleGrowth, tenantCount, tenantGrowth }: Partial<Stats> =
    stats ?? {}
  const tenants = {
    label: t('dashboard.tenants'),
    icon: IconBuilding,
    value: tenantCount,
    growth: tenantGrowth,
    hint,
  }
  return [
    { label: t('dashboard.users'), icon: IconUsers, value: userCount, growth: userGrowth, hint },
    {
      label: t('dashboard.activeUsers'),
      icon: IconUserCheck,
      value: stats?.todayActiveUsers,
      hint: t('dashboard.today'),
    },
    { label: t('dashboard.online'), icon: IconWifi, value: stats?.onlineCount, hint: t('dashboard.now') },
    { label: t('dashboard.roles'), icon: IconShieldLock, value: roleCount, growth: roleGrowth, hint },
    ...(can('tenant:read') ? [tenants] : []),
  ]
}

export const StatCards = () => {
  const { data, error, refetch } = useStats()
  const cards = useCards(data)
  if (error && !data) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return (
    <SimpleGrid className="stats" cols={{ base: 2, lg: cards.length }} spacing={{ base: 'xs', sm: 'md' }}>
      {cards.map((card) => (
        <StatCard key={card.label} {...card} />
      ))}
    </SimpleGrid>
  )
}
