import { Button, Card, Code, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useMe } from '../../session/me.ts'
import { History } from '../audit/history.views.tsx'
import { RoleHolders } from './role-holders.tsx'
import { RoleMark } from './role-matrix.tsx'
import { useCanChange, useRole } from './roles.queries.ts'
import { useModuleName } from './roles.texts.ts'

const route = getRouteApi('/shell/roles/$roleId')

const EditRole = lazyPart(async () => (await import('./role-dialogs.tsx')).EditRole)
const DeleteRole = lazyPart(async () => (await import('./role-dialogs.tsx')).DeleteRole)

export const RolePage = () => {
  const { t } = useTranslation()
  const { data: role, error, refetch } = useRole(Number(route.useParams().roleId))
  return (
    <>
      <BackLink to="/roles">{t('places.roles')}</BackLink>
      {role ? (
        <RoleDetails role={role} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

const RoleDetails = ({ role }: { role: Role }) => {
  const { t } = useTranslation()
  const canChange = useCanChange()(role)
  return (
    <>
      <PageHeader
        title={role.name}
        description={role.description}
        marks={<RoleMark role={role} canChange={canChange} />}
        actions={role.is_system ? <ToCatalogue role={role} /> : canChange && <RoleActions role={role} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        <RolePermissions role={role} />
        <Stack>
          <RoleHolders role={role} />
          <History resource="role" id={role.id} hint={t('roles.history')} />
        </Stack>
      </SimpleGrid>
    </>
  )
}

/** A system role is a template, which the catalogue holds. */
const ToCatalogue = ({ role: { id } }: { role: Role }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (!can('catalogue:manage')) return null
  return (
    <Button
      variant="default"
      renderRoot={(props: object) => (
        <Link {...props} to="/catalogue/$templateId" params={{ templateId: String(id) }} />
      )}
    >
      {t('catalogue.inCatalogue')}
    </Button>
  )
}

const RoleActions = ({ role }: { role: Role }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const navigate = route.useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = (): void => setAsked(undefined)
  return (
    <Group gap="xs">
      {can('role:update') && (
        <Button variant="default" onClick={() => setAsked('edit')}>
          {t('roles.edit')}
        </Button>
      )}
      {can('role:delete') && (
        <Button variant="light" color="red" onClick={() => setAsked('delete')}>
          {t('roles.delete')}
        </Button>
      )}
      {asked === 'edit' && <EditRole role={role} onClose={close} />}
      {asked === 'delete' && (
        <DeleteRole role={role} onClose={close} onDeleted={() => navigate({ to: '/roles', search: {} })} />
      )}
    </Group>
  )
}

const RolePermissions = ({ role: { permissions } }: { role: Role }) => {
  const { t } = useTranslation()
  const nameOfModule = useModuleName()
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="xs">
        {t('roles.permissions', { count: permissions.length })}
      </Title>
      {permissions.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('roles.permitsNothing')}
        </Text>
      )}
      {[...Map.groupBy(permissions, ({ module }) => module)].map(([module, of]) => (
        <Stack key={module} gap={6} mt="sm">
          <Text size="xs" fw={500} c="dimmed">
            {nameOfModule(module)}
          </Text>
          {of.map(({ id, name, code, description }) => (
            <Group key={id} justify="space-between" gap="xs" title={description}>
              <Text size="sm">{name}</Text>
              <Code className="whole">{code}</Code>
            </Group>
          ))}
        </Stack>
      ))}
    </Card>
  )
}
