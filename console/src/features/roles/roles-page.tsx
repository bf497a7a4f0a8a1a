import { Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useMe } from '../../session/me.ts'
import { RoleChanges } from './role-changes.tsx'
import { changesOf, useRoleDraft, type RoleDraft, type SetCells } from './role-draft.ts'
import { RoleTable } from './role-table.tsx'
import { useCountedRoles, usePermissions } from './roles.queries.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'

const route = getRouteApi('/shell/roles')

const waiting = <Skeleton height={480} />
const CompareRoles = lazyPart(async () => (await import('./compare-roles.tsx')).CompareRoles, waiting)
const CreateRole = lazyPart(async () => (await import('./role-dialogs.views.tsx')).CreateRole)

export const RolesPage = () => {
  const { t } = useTranslation()
  const { tab = 'list' } = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const { draft, setCells, forget } = useRoleDraft()
  const { data: roles = [] } = useCountedRoles()
  const { data: permissions = [] } = usePermissions()
  return (
    <>
      <PageHeader
        title={t('places.roles')}
        description={t('roles.about')}
        actions={
          can('role:create') && (
            <DialogButton label={t('places.createRole')}>
              {(onClose) => <CreateRole onClose={onClose} />}
            </DialogButton>
          )
        }
      />
      <PageTabs
        tab={tab}
        titles={{ list: t('roles.list'), compare: t('roles.compare') }}
        onChange={(chosen) => void navigate({ search: chosen === 'list' ? {} : { tab: chosen } })}
      >
        {tab === 'list' ? <RoleTable /> : <Compare draft={draft} setCells={setCells} />}
      </PageTabs>
      {/* Outside of the tabs, so that a draft survives switching between them. */}
      <RoleChanges changes={changesOf(draft, roles, permissions)} onForget={forget} />
    </>
  )
}

const Compare = (drafting: { draft: RoleDraft; setCells: SetCells }) => {
  const roles = useCountedRoles()
  const permissions = usePermissions()
  const error = roles.data ? permissions.error : roles.error
  if (roles.data && permissions.data) {
    return <CompareRoles roles={roles.data} permissions={permissions.data} {...drafting} />
  }
  if (!error) return waiting
  return (
    <ErrorPanel error={error} onRetry={() => void Promise.all([roles.refetch(), permissions.refetch()])} />
  )
}
