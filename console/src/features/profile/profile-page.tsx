import { Badge, Card, DataList, Group, SimpleGrid, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { UserPicture } from '../../components/user-picture.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { nameOf, useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { FactorsCard } from '../factors/factors.views.tsx'
import { OwnGrants } from '../grants/grants.views.tsx'
import { DeleteAccountCard, ExportAccountCard, MembershipsCard } from '../memberships/memberships.views.tsx'
import { useRoleTexts } from '../roles/roles.texts.ts'
import { OwnSessions } from '../sessions/sessions.views.tsx'
import { EmailCard } from './email-card.views.tsx'
import { NicknameForm } from './nickname-form.tsx'
import { OwnPicture } from './own-picture.tsx'
import { PasswordForm } from './password-form.tsx'
import { profileSearch, type ProfileTab } from './profile.search.ts'

const route = getRouteApi('/shell/profile')

const PreferencesCard = lazyPart(
  async () => (await import('./preferences-card.tsx')).PreferencesCard,
  <Skeleton height={360} />,
)

const Account = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { user, tenant } = useMe()
  const facts = [
    [t('fields.username'), user.username],
    [t('fields.tenant'), tenant.name],
    [t('fields.lastLogin'), user.last_login === '' ? t('common.never') : format.moment(user.last_login)],
  ]
  return (
    <Card withBorder padding="lg">
      <Group mb="md" wrap="nowrap">
        <UserPicture user={user} size={64} />
        <div className="cut">
          <Title order={2} size="h4" className="cut">
            {nameOf(user)}
          </Title>
          <OwnPicture />
        </div>
      </Group>
      <DataList>
        {facts.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue className="breakable">{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <NicknameForm />
    </Card>
  )
}

const Roles = () => {
  const { t } = useTranslation()
  const roles = useRoleTexts().ofRoles(useMe().roles)
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('profile.roles')}
      </Title>
      <Stack gap="sm">
        {roles.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('profile.noRoles')}
          </Text>
        )}
        {roles.map(({ id, name, description, permissions }) => (
          <Stack key={id} gap={2} align="flex-start">
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {name}
              </Text>
              <Badge variant="default" tt="none" fw={400}>
                {t('profile.permissions', { count: permissions.length })}
              </Badge>
            </Group>
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}

const panels: Record<'account' | ProfileTab, ReactNode> = {
  account: (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack>
        <Account />
        <EmailCard />
      </Stack>
      <Stack>
        <MembershipsCard />
        <Roles />
        <ExportAccountCard />
        <DeleteAccountCard />
      </Stack>
    </SimpleGrid>
  ),
  security: (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <PasswordForm />
      <div>
        <FactorsCard />
      </div>
    </SimpleGrid>
  ),
  sessions: (
    <Stack>
      <OwnSessions />
      <OwnGrants />
    </Stack>
  ),
  preferences: <PreferencesCard />,
}

export const ProfilePage = () => {
  const { t } = useTranslation()
  const { tab = 'account' } = route.useSearch()
  const navigate = route.useNavigate()
  const titles = {
    account: t('shell.account'),
    security: t('profile.security'),
    sessions: t('profile.sessions'),
    preferences: t('profile.preferences'),
  }
  return (
    <>
      <PageHeader title={t('places.profile')} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) => void navigate({ search: profileSearch({ tab: chosen }) })}
      >
        <Tabs.List mb="md" aria-label={t('places.profile')}>
          {Object.entries(titles).map(([value, title]) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} maw={1000}>
          {panels[tab]}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
