import { Card, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { UserLine } from '../../components/user-line.tsx'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { RecordLines } from '../audit/record-lines.views.tsx'
import { useHolders } from '../roles/roles.queries.ts'
import { useSettings } from '../settings/settings.queries.ts'
import { adminId, builtInTenantId, platformAdminId } from '../../session/built-in.ts'

/** The page shows the beginning of each list. A link opens the whole list in the tenant. */
const shown = 5

interface PartProps {
  title: string
  all: ReactNode
  asked: { data: unknown[] | undefined; error: unknown; refetch: () => unknown }
  none: string
  children: ReactNode
}

const Part = ({ title, all, asked, none, children }: PartProps) => (
  <Card withBorder padding="lg" component="section">
    <Group justify="space-between" gap="sm" mb="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      {asked.data && all}
    </Group>
    {asked.data ? (
      asked.data.length > 0 ? (
        children
      ) : (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )
    ) : (
      <Missing {...asked} />
    )}
  </Card>
)

const Missing = ({ error, refetch }: Pick<PartProps['asked'], 'error' | 'refetch'>) =>
  error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={120} />

/**
 * The holders of the role that administers the tenant. In the built-in tenant, it administers the whole installation.
 */
export const Administrators = () => {
  const { t } = useTranslation()
  const { tenantId, link } = useScope()
  const roleId = tenantId === builtInTenantId ? platformAdminId : adminId
  const { data, error, refetch } = useHolders(roleId, { size: shown })
  return (
    <Part
      title={t('tenant.administrators')}
      all={
        <TextLink to="/roles/$roleId" params={{ roleId: String(roleId) }} search={link} size="sm">
          {t('tenant.allAdministrators')}
        </TextLink>
      }
      asked={{ data: data?.items, error, refetch }}
      none={t('tenant.noAdministrators')}
    >
      <Stack gap="sm">
        {data?.items.map((user) => (
          <UserLine key={user.id} user={user} />
        ))}
      </Stack>
    </Part>
  )
}

export const LatestUsers = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { api, tenantId, link } = useScope()
  const { data, error, refetch } = useQuery({
    queryKey: ['users', tenantId, 'latest'],
    queryFn: ({ signal }) => api.users.list({ sort: '-id', page_size: shown }, { signal }),
  })
  return (
    <Part
      title={t('tenant.users')}
      all={
        <TextLink to="/users" search={link} size="sm">
          {t('tenant.allUsers', { count: data?.total ?? 0, said: data ? format.total(data) : '' })}
        </TextLink>
      }
      asked={{ data: data?.items, error, refetch }}
      none={t('tenant.noUsers')}
    >
      <Stack gap="sm">
        {data?.items.map((user) => (
          <UserLine key={user.id} user={user} />
        ))}
      </Stack>
    </Part>
  )
}

/** Longer values do not fit. */
const previewMax = 80

export const TenantSettings = () => {
  const { t } = useTranslation()
  const { link } = useScope()
  const { data, error, refetch } = useSettings('tenant')
  return (
    <Part
      title={t('places.settings')}
      all={
        <TextLink to="/settings" search={link} size="sm">
          {t('tenant.allSettings', { count: data?.length ?? 0 })}
        </TextLink>
      }
      asked={{ data, error, refetch }}
      none={t('tenant.noSettings')}
    >
      <Stack gap="xs">
        {data?.slice(0, shown).map(({ key, value }) => (
          <Group key={key} justify="space-between" wrap="nowrap">
            <Text size="sm" className="cut" title={key}>
              {key}
            </Text>
            <Code className="cut">{isolated(JSON.stringify(value).slice(0, previewMax))}</Code>
          </Group>
        ))}
      </Stack>
    </Part>
  )
}

export const TenantRecords = () => {
  const { t } = useTranslation()
  const { api, tenantId, link } = useScope()
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', tenantId, 'beginning'],
    queryFn: async ({ signal }) =>
      (await api.audit.list({ include: 'actor', page_size: shown }, { signal })).items,
    staleTime: 0,
  })
  return (
    <Part
      title={t('tenant.records')}
      all={
        <TextLink to="/audit" search={link} size="sm">
          {t('tenant.allRecords')}
        </TextLink>
      }
      asked={{ data, error, refetch }}
      none={t('tenant.noRecords')}
    >
      <RecordLines records={data ?? []} />
    </Part>
  )
}
