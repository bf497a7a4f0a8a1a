import {
  Badge,
  Box,
  Button,
  Card,
  DataList,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { usePasswordHint } from '../../components/password-hint.ts'
import { PasswordField } from '../../components/password-field.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { UserPicture } from '../../components/user-picture.tsx'
import { nameOf, useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useMe, usePasswordRules } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { FactorsCard } from '../factors/factors.views.tsx'
import { OwnGrants } from '../grants/grants.views.tsx'
import { DeleteAccountCard, ExportAccountCard, MembershipsCard } from '../memberships/memberships.views.tsx'
import { useRoleTexts } from '../roles/roles.texts.ts'
import { OwnSessions } from '../sessions/sessions.views.tsx'
import { EmailCard } from './email-card.tsx'
import { OwnPicture } from './own-picture.tsx'
import { useUpdateProfile } from './profile.queries.ts'
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
      <PageTabs
        tab={tab}
        titles={titles}
        label={t('places.profile')}
        onChange={(chosen) => void navigate({ search: profileSearch({ tab: chosen }) })}
      >
        <Box maw={1000}>{panels[tab]}</Box>
      </PageTabs>
    </>
  )
}

/** Changes the name that the console shows for the caller. */
const NicknameForm = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const update = useUpdateProfile()
  const { nickname } = useMe().user
  const check = useFieldChecks()
  const form = useForm({ initialValues: { nickname }, validate: { nickname: check('nickname') } })
  const { onSubmit, isSending, error } = useSubmit(form, async (values) => {
    const user = await update({ nickname: values.nickname.trim() })
    form.setInitialValues({ nickname: user.nickname })
    form.reset()
    notify(t('ownProfile.saved'))
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      {error !== undefined && <ErrorPanel error={error} />}
      <Group align="flex-end" mt="md">
        <TextInput
          label={t('fields.nickname')}
          description={t('ownProfile.nicknameHint')}
          autoComplete="nickname"
          flex="1 1 200px"
          {...form.getInputProps('nickname')}
        />
        <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
          {t('common.save')}
        </Button>
      </Group>
    </form>
  )
}

const usePasswordForm = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const check = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { old_password: '', new_password: '', again: '' },
    validate: {
      new_password: check('password'),
      again: (again, { new_password }) => (again === new_password ? null : t('profile.passwordsDiffer')),
    },
  })
  const sending = useSubmit(form, async ({ old_password, new_password }) => {
    await client.auth.changePassword({ old_password, new_password })
    form.reset()
    notify(t('profile.passwordChanged'))
  })
  return { form, ...sending }
}

const PasswordForm = () => {
  const { t } = useTranslation()
  const { email, tenant_id: tenantId } = useMe().user
  const hint = usePasswordHint()(usePasswordRules(tenantId))
  const { form, onSubmit, isSending, error } = usePasswordForm()
  const fields = [
    { name: 'old_password', label: t('profile.oldPassword'), autoComplete: 'current-password' },
    { name: 'new_password', label: t('profile.newPassword'), autoComplete: 'new-password' },
    { name: 'again', label: t('profile.again'), autoComplete: 'new-password' },
  ]
  return (
    <Card withBorder padding="lg" id="password" component="section">
      <Title order={2} size="h4">
        {t('places.changePassword')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('profile.changePasswordText')}
      </Text>
      <form noValidate onSubmit={onSubmit}>
        {/* Password managers find the account by it. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          {fields.map(({ name, label, autoComplete }) => (
            <PasswordField
              key={form.key(name)}
              label={label}
              autoComplete={autoComplete}
              required
              {...(name === 'new_password' ? { description: hint } : {})}
              {...form.getInputProps(name)}
            />
          ))}
          <Button type="submit" loading={isSending} style={{ alignSelf: 'flex-start' }}>
            {t('places.changePassword')}
          </Button>
        </Stack>
      </form>
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
