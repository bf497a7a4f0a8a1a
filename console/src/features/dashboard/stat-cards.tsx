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
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Stats, Tenant } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import type { UsersSearch } from '../users/users.search.ts'

interface StatCardProps {
  label: string
  icon: Icon
  value: number | undefined
  /** Percent compared with 30 days ago. Undefined for a number without earlier values. */
  growth?: number | undefined
  hint: string
  /** True if the number did not exist 30 days ago. */
  isNew?: boolean
  to?: '/users' | '/roles' | '/tenants' | undefined
  /** The filter of the list that the card opens. */
  search?: UsersSearch
}

interface GrowthProps {
  growth: number
  /** The whole number, if there was none 30 days ago. */
  all: number | undefined
}

const Growth = ({ growth, all }: GrowthProps) => {
  const format = useFormat()
  // The service sends 100 for any number that was zero 30 days ago.
  if (all !== undefined && growth === 100) return <Text size="xs">{format.more(all)}</Text>
  if (growth === 0) return <Text size="xs">{format.change(0)}</Text>
  const isUp = growth > 0
  return (
    <Group gap={4} c={isUp ? 'var(--text-good)' : 'var(--text-bad)'}>
      {isUp ? <IconTrendingUp size={16} /> : <IconTrendingDown size={16} />}
      <Text size="xs" fw={500} className="numbers">
        {format.change(growth)}
      </Text>
    </Group>
  )
}

const StatCard = ({ label, icon: Icon, value, growth, hint, isNew = false, to, search }: StatCardProps) => {
  const format = useFormat()
  return (
    <Card
      withBorder
      padding="md"
      className={to && 'stat-link'}
      {...(to && { renderRoot: (props: object) => <Link to={to} search={search ?? {}} {...props} /> })}
    >
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
        {growth !== undefined && <Growth growth={growth} all={isNew ? value : undefined} />}
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </Group>
    </Card>
  )
}

const growthDays = 30
const dayMs = 24 * 3_600_000

const isYoung = (tenant: Tenant | undefined): boolean =>
  tenant !== undefined && Date.now() - Date.parse(tenant.created_at) < growthDays * dayMs

/** For callers who see all tenants. */
const useTenantsCard = (stats: Stats | undefined): StatCardProps[] => {
  const { t } = useTranslation()
  const { can, tenant: own } = useMe()
  const card: StatCardProps = {
    label: t('dashboard.tenants'),
    icon: IconBuilding,
    value: stats?.tenantCount,
    growth: stats?.tenantGrowth,
    hint: t('dashboard.than'),
    // The caller's own tenant is about as old as the installation.
    isNew: isYoung(own),
    to: '/tenants',
  }
  return can('tenant:read') ? [card] : []
}

const useCards = (stats: Stats | undefined): StatCardProps[] => {
  const { t } = useTranslation()
  const { can } = useMe()
  const isNew = isYoung(useScopeTenant().tenant)
  const toUsers = can('user:read') ? '/users' : undefined
  const hint = t('dashboard.than')
  const { userCount, userGrowth, roleCount }: Partial<Stats> = stats ?? {}
  const tenantsCard = useTenantsCard(stats)
  return [
    {
      label: t('dashboard.users'),
      icon: IconUsers,
      value: userCount,
      growth: userGrowth,
      hint,
      isNew,
      to: toUsers,
    },
    {
      label: t('dashboard.activeUsers'),
      icon: IconUserCheck,
      value: stats?.todayActiveUsers,
      hint: t('dashboard.today'),
      to: toUsers,
      search: { seen: 'today' },
    },
    {
      label: t('dashboard.online'),
      icon: IconWifi,
      value: stats?.onlineCount,
      hint: t('dashboard.now'),
      to: toUsers,
      search: { seen: 'online' },
    },
    {
      label: t('dashboard.roles'),
      icon: IconShieldLock,
      value: roleCount,
      hint: t('dashboard.inTenant'),
      to: can('role:read') ? '/roles' : undefined,
    },
    ...tenantsCard,
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

export const useStats = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['dashboard', tenantId, 'stats'],
    queryFn: ({ signal }) => api.dashboard.stats({ signal }),
    // A user who returns after a change sees the new number.
    staleTime: 0,
    refetchInterval: 60_000,
  })
}
