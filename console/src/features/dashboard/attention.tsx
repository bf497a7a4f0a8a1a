import { Card, Group, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { PermissionCode } from '@tenantry/client'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useAccounts } from '../service-accounts/service-accounts.queries.ts'
import { useTroubledWebhooks } from '../webhooks/webhooks.queries.ts'

/** Undefined while it loads, null if the request failed. */
type Count = number | undefined | null

const countOf = (count: number | undefined, error: Error | null): Count => count ?? (error ? null : undefined)

interface AttentionItem {
  needs: PermissionCode
  label: string
  hint: string
  count: Count
  link: Pick<LinkProps, 'to' | 'params' | 'search'>
  /** True if any counted thing is a fault. */
  isBad?: boolean
}

const hourMs = 3_600_000

/** Rounded to a whole hour, so that the key of the query changes only once an hour. */
const dayAgo = (): string => new Date((Math.floor(Date.now() / hourMs) - 24) * hourMs).toISOString()

const useFailedSignIns = (): AttentionItem => {
  const { t } = useTranslation()
  const { api, tenantId } = useScope()
  const filter = { action: 'auth.login_failed', from: dayAgo() }
  const { data, error } = useQuery({
    queryKey: ['audit', tenantId, 'failed-sign-ins', filter.from],
    queryFn: ({ signal }) => api.audit.list({ ...filter, page_size: 1 }, { signal }),
    enabled: useMe().can('audit:read'),
    refetchInterval: 60_000,
  })
  return {
    needs: 'audit:read',
    label: t('dashboard.failedSignIns'),
    hint: t('dashboard.inADay'),
    count: countOf(data?.total, error),
    link: { to: '/audit', search: filter },
  }
}

const useOpenInvitations = (): AttentionItem => {
  const { t } = useTranslation()
  const { api, tenantId } = useScope()
  const { data, error } = useQuery({
    queryKey: ['invitations', tenantId, 'open'],
    queryFn: ({ signal }) => api.invitations.list({ status: 'pending', page_size: 1 }, { signal }),
    enabled: useMe().can('user:read'),
  })
  return {
    needs: 'user:read',
    label: t('dashboard.openInvitations'),
    hint: t('dashboard.notAccepted'),
    count: countOf(data?.total, error),
    link: { to: '/users/invitations' },
  }
}

const useEndingKeys = (): AttentionItem => {
  const { t } = useTranslation()
  const { data, error } = useAccounts({ ending: true, size: 1 }, useMe().can('service_account:read'))
  return {
    needs: 'service_account:read',
    label: t('dashboard.endingKeys'),
    hint: t('dashboard.inAWeek'),
    count: countOf(data?.total, error),
    link: { to: '/service-accounts', search: { ending: true } },
  }
}

const useFailingWebhooks = (): AttentionItem => {
  const { t } = useTranslation()
  const { data, error } = useTroubledWebhooks()
  const [only, ...others] = data ?? []
  return {
    needs: 'webhook:read',
    label: t('dashboard.failingWebhooks'),
    hint: t('dashboard.now'),
    count: countOf(data?.length, error),
    link:
      only && others.length === 0
        ? { to: '/webhooks/$webhookId', params: { webhookId: String(only.id) } }
        : { to: '/webhooks', search: data?.length ? { failing: true } : {} },
    isBad: true,
  }
}

const useAttentionItems = (): AttentionItem[] => {
  const { can } = useMe()
  const all = [useFailedSignIns(), useFailingWebhooks(), useEndingKeys(), useOpenInvitations()]
  return all.filter(({ needs }) => can(needs))
}

/** Counts things that need work. Each number links to its list. */
export const Attention = () => {
  const { t } = useTranslation()
  const matters = useAttentionItems()
  if (matters.length === 0) return null
  return (
    <Card withBorder padding="lg" component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t('dashboard.attention')}
        </Title>
        {matters.every(({ count }) => count === 0) && (
          <Group gap={6} c="var(--text-good)">
            <IconCircleCheck size={18} stroke={1.5} />
            <Text size="sm">{t('dashboard.calm')}</Text>
          </Group>
        )}
      </Group>
      <SimpleGrid cols={{ base: 2, md: matters.length }} spacing="sm">
        {matters.map((matter) => (
          <AttentionLink key={matter.label} {...matter} />
        ))}
      </SimpleGrid>
    </Card>
  )
}

const AttentionLink = ({ label, hint, count, link, isBad }: AttentionItem) => {
  const format = useFormat()
  const isOpen = Boolean(count)
  return (
    <Link
      {...link}
      className="matter"
      data-open={isOpen || undefined}
      data-bad={(isOpen && isBad) || undefined}
    >
      {count === undefined ? (
        <Skeleton height={28} width={24} />
      ) : (
        <Text span fz={22} lh="28px" fw={600} className="numbers">
          {count === null ? '–' : format.count(count)}
        </Text>
      )}
      <Group gap={0} style={{ flexDirection: 'column', alignItems: 'flex-start' }} miw={0}>
        <Text span size="sm" fw={500}>
          {label}
        </Text>
        <Text span size="xs" c="dimmed">
          {hint}
        </Text>
      </Group>
    </Link>
  )
}
