import { Card, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import type { ReactNode } from 'react'
import { Cut } from '../../components/cells.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { UserLine } from '../../components/user-line.tsx'
import { useFormat } from '../../format.ts'
import { isolated } from '../../isolate.ts'
import { builtInTenantId, systemRoleIds } from '../../session/built-in.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { RecordLines } from '../audit/record-lines.views.tsx'
import { useWithNames } from '../audit/records.queries.ts'
import { useInvitations } from '../invitations/invitations.queries.ts'
import { useHolders } from '../roles/roles.queries.ts'
import { useSettings } from '../settings/settings.queries.ts'

/** The rows that the page shows of each list. A link opens the whole list in the tenant. */
const shown = 5

interface PartProps<T> {
  title: string
  /** The link to the whole list. */
  all: ReactNode
  query: { data: T[] | undefined; error: unknown; refetch: () => unknown }
  none: ReactNode
  children: (items: T[]) => ReactNode
}

const Part = <T,>({ title, all, query, none, children }: PartProps<T>) => (
  <Card withBorder padding="lg" component="section">
    <Group justify="space-between" gap="sm" mb="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      {query.data && query.data.length > 0 && all}
    </Group>
    <Loaded query={query} height={120}>
      {(items) =>
        items.length > 0 ? (
          children(items)
        ) : (
          <Text size="sm" c="dimmed" component="div">
            {none}
          </Text>
        )
      }
    </Loaded>
  </Card>
)

const UserLines = (users: User[]) => (
  <Stack gap="sm">
    {users.map((user) => (
      <UserLine key={user.id} user={user} />
    ))}
  </Stack>
)

/** Says how many invitations are pending in a tenant without users. */
const NobodyYet = ({ text }: { text: string }) => {
  const { t } = useTranslation()
  const { link } = useScope()
  const pending = useInvitations({ size: 1 }).data?.total ?? 0
  return (
    <>
      {text}{' '}
      {pending > 0 && (
        <TextLink to="/users/invitations" search={link} size="sm" underline="always">
          {t('tenant.pending', { count: pending })}
        </TextLink>
      )}
    </>
  )
}

/**
 * The holders of the role that administers the tenant. In the built-in tenant, that role administers the whole
 * installation.
 */
export const Administrators = () => {
  const { t } = useTranslation()
  const { tenantId, link } = useScope()
  const roleId = tenantId === builtInTenantId ? systemRoleIds['platform-admin'] : systemRoleIds.admin
  const { data, error, refetch } = useHolders(roleId, { size: shown })
  return (
    <Part
      title={t('tenant.administrators')}
      all={
        <TextLink to="/roles/$roleId" params={{ roleId: String(roleId) }} search={link} size="sm">
          {t('tenant.allAdministrators')}
        </TextLink>
      }
      query={{ data: data?.items, error, refetch }}
      none={<NobodyYet text={t('tenant.noAdministrators')} />}
    >
      {UserLines}
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
      query={{ data: data?.items, error, refetch }}
      none={<NobodyYet text={t('tenant.noUsers')} />}
    >
      {UserLines}
    </Part>
  )
}

/** The longest preview. Longer values do not fit. */
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
      query={{ data, error, refetch }}
      none={t('tenant.noSettings')}
    >
      {(settings) => (
        <Stack gap="xs">
          {settings.slice(0, shown).map(({ key, value }) => (
            <Group key={key} justify="space-between" wrap="nowrap">
              <Cut text={key} />
              <Code className="cut">{isolated(JSON.stringify(value).slice(0, previewMax))}</Code>
            </Group>
          ))}
        </Stack>
      )}
    </Part>
  )
}

export const TenantRecords = () => {
  const { t } = useTranslation()
  const { api, tenantId, link } = useScope()
  const withNames = useWithNames()
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', tenantId, 'beginning'],
    queryFn: async ({ signal }) =>
      withNames((await api.audit.list({ include: 'actor', page_size: shown }, { signal })).items, signal),
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
      query={{ data, error, refetch }}
      none={t('tenant.noRecords')}
    >
      {(records) => <RecordLines records={records} />}
    </Part>
  )
}
