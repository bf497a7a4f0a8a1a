import { Alert, Badge, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconChevronLeft, IconLock } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Initials } from '../../components/initials.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { UserAccess } from './user-access.tsx'
import { UserActions } from './user-actions.tsx'
import { UserActivity } from './user-activity.tsx'
import { UserOverview } from './user-overview.tsx'
import { nameOf, useLacking, useRolesOf, useUser } from './user-queries.ts'

const route = getRouteApi('/shell/users/$userId')

export const UserPage = () => {
  const { t } = useTranslation()
  const id = Number(route.useParams().userId)
  const { data: user, error, refetch } = useUser(id)
  return (
    <>
      <TextLink to="/users" size="sm" c="dimmed" className="back">
        <IconChevronLeft size={14} />
        {t('users.title')}
      </TextLink>
      {user ? (
        <UserDetails user={user} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

const UserDetails = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const lacking = useLacking()(useRolesOf(user.id).data ?? [])
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <UserTitle user={user} />
        {lacking.length === 0 && <UserActions user={user} />}
      </Group>
      {lacking.length > 0 && (
        <Alert color="yellow" icon={<IconLock />} title={t('users.outranks')} mb="md">
          {t('users.outranksText', { codes: lacking.join(', ') })}
        </Alert>
      )}
      <UserTabs user={user} canChange={lacking.length === 0} />
    </>
  )
}

const UserTitle = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <Group wrap="nowrap" miw={0} gap="sm">
      <Initials user={user} size={44} />
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Title order={1} size="h3" className="cut" title={nameOf(user)}>
            {nameOf(user)}
          </Title>
          <StatusBadge status={user.status} />
          {user.id === me.user.id && (
            <Badge variant="default" tt="none" fw={500}>
              {t('users.you')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" className="cut" title={user.email}>
          {user.email}
        </Text>
      </Stack>
    </Group>
  )
}

const UserTabs = ({ user, canChange }: { user: User; canChange: boolean }) => {
  const { t } = useTranslation()
  const { tab = 'overview' } = route.useSearch()
  const navigate = route.useNavigate()
  const { can, user: own } = useMe()
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(chosen) =>
        void navigate({ search: chosen === 'access' || chosen === 'activity' ? { tab: chosen } : {} })
      }
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="overview">{t('users.overview')}</Tabs.Tab>
        {(can('role:read') || user.id === own.id) && <Tabs.Tab value="access">{t('users.access')}</Tabs.Tab>}
        {can('audit:read') && <Tabs.Tab value="activity">{t('users.activity')}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <UserOverview user={user} canChange={canChange} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <UserAccess user={user} canChange={canChange} />
      </Tabs.Panel>
      <Tabs.Panel value="activity">
        <UserActivity user={user} />
      </Tabs.Panel>
    </Tabs>
  )
}
