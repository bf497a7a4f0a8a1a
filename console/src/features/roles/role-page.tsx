import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useMe } from '../../session/me.ts'
import { History } from '../audit/history.views.tsx'
import { RoleChanges } from './role-changes.tsx'
import { changesOf, useRoleDraft } from './role-draft.ts'
import { RoleHolders } from './role-holders.tsx'
import { RoleMark } from './role-mark.tsx'
import { RolePermissions } from './role-permissions.tsx'
import { useCanChange, useCanDuplicate, usePermissions, useRole } from './roles.queries.ts'

const route = getRouteApi('/shell/roles/$roleId')

const dialogs = {
  edit: lazyPart(async () => (await import('./role-dialogs.tsx')).EditRole),
  duplicate: lazyPart(async () => (await import('./role-dialogs.tsx')).DuplicateRole),
  delete: lazyPart(async () => (await import('./role-dialogs.tsx')).DeleteRole),
}

export const RolePage = () => {
  const { t } = useTranslation()
  const { data: role, error, refetch } = useRole(Number(route.useParams().roleId))
  return (
    <>
      <BackLink to="/roles">{t('places.roles')}</BackLink>
      {role ? (
        // A duplicate begins without the draft of its original.
        <RoleDetails key={role.id} role={role} />
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
  const { can } = useMe()
  const canChange = useCanChange()(role)
  const { draft, setCells, forget } = useRoleDraft()
  const { data: permissions = [] } = usePermissions()
  return (
    <>
      <PageHeader
        title={role.name}
        description={role.description}
        marks={<RoleMark role={role} canChange={canChange} />}
        actions={<RoleActions role={role} canChange={canChange} />}
      />
      <div className="role-page columns-in-order">
        <RolePermissions role={role} canChange={canChange && can('role:update')} {...{ draft, setCells }} />
        <Stack className="in-order">
          <RoleHolders role={role} />
          <History resource="role" id={role.id} hint={t('roles.history')} />
        </Stack>
      </div>
      <RoleChanges changes={changesOf(draft, [role], permissions)} onForget={forget} />
    </>
  )
}

/** A system role is a template, which the catalogue holds. */
const ToCatalogue = ({ role: { id } }: { role: Role }) => {
  const { t } = useTranslation()
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

/** The actions that the caller may take and the service would accept. */
const useActions = (role: Role, canChange: boolean): (keyof typeof dialogs)[] => {
  const { can } = useMe()
  const canDuplicate = useCanDuplicate()(role)
  return [
    ...(canDuplicate ? (['duplicate'] as const) : []),
    ...(canChange && can('role:update') ? (['edit'] as const) : []),
    ...(canChange && can('role:delete') ? (['delete'] as const) : []),
  ]
}

const RoleActions = ({ role, canChange }: { role: Role; canChange: boolean }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [asked, setAsked] = useState<keyof typeof dialogs>()
  const Dialog = asked && dialogs[asked]
  return (
    <Group gap="xs">
      {role.is_system && can('catalogue:manage') && <ToCatalogue role={role} />}
      {useActions(role, canChange).map((action) => (
        <Button
          key={action}
          {...(action === 'delete' ? { variant: 'light', color: 'red' } : { variant: 'default' })}
          onClick={() => setAsked(action)}
        >
          {t(`roles.${action}`)}
        </Button>
      ))}
      {Dialog && <Dialog role={role} onClose={() => setAsked(undefined)} />}
    </Group>
  )
}
