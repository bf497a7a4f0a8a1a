import { Button, EmptyState, Group, Paper, Skeleton, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconListSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { ListNews, useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { useMe } from '../../session/me.ts'
import { changesOf, useDraft, type Change } from './role-draft.ts'
import { RoleList } from './role-list.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import { RolePicker } from './role-picker.tsx'
import { usePermissions, useRoles } from './roles.queries.ts'

const route = getRouteApi('/shell/roles')

const ReviewModal = lazyPart(async () => (await import('./review-modal.tsx')).ReviewModal)
const CreateRole = lazyPart(async () => (await import('./role-dialogs.tsx')).CreateRole)

/** The most columns that are read at a glance; the user chooses others. */
const shownAtFirst = 10

/** The roles that the address names, in the order of the list. */
const useShown = (roles: Role[]): Role[] => {
  const { shown } = route.useSearch()
  return shown ? roles.filter(({ id }) => shown.includes(id)) : roles.slice(0, shownAtFirst)
}

const matching = (permissions: Permission[], search: string): Permission[] => {
  const sought = search.toLowerCase()
  return permissions.filter(({ name, code }) => `${name}\n${code}`.toLowerCase().includes(sought))
}

export const RolesPage = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  const roles = useRoles()
  const permissions = usePermissions()
  const error = roles.data ? permissions.error : roles.error
  return (
    <>
      <PageHeader
        title={t('places.roles')}
        description={t('roles.about')}
        actions={can('role:create') && roles.data && <Create roles={roles.data} />}
      />
      {roles.data && permissions.data ? (
        <Roles roles={roles.data} permissions={permissions.data} />
      ) : error ? (
        <ErrorPanel
          error={error}
          onRetry={() => void Promise.all([roles.refetch(), permissions.refetch()])}
        />
      ) : (
        <Skeleton height={480} />
      )}
    </>
  )
}

const Create = ({ roles }: { roles: Role[] }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const navigate = route.useNavigate()
  const shown = useShown(roles).map(({ id }) => id)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('roles.create')}</Button>
      {isOpen && (
        <CreateRole
          onClose={() => setOpen(false)}
          onCreated={({ id }) =>
            void navigate({
              search: (others) => ({ ...others, shown: [...shown, id] }),
              replace: true,
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  )
}

interface RolesProps {
  roles: Role[]
  permissions: Permission[]
}

const Roles = ({ roles, permissions }: RolesProps) => {
  const { search = '' } = route.useSearch()
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const shown = useShown(roles)
  const { draft, toggle, forget } = useDraft()
  const changes = changesOf(draft, roles, permissions)
  const rows = matching(permissions, search)
  const Layout = isNarrow ? RoleList : RoleMatrix
  return (
    <>
      <Toolbar roles={roles} shown={shown} hasPicker={!isNarrow} />
      {rows.length === 0 ? (
        <NoneFound />
      ) : (
        <Layout roles={isNarrow ? roles : shown} permissions={rows} draft={draft} onToggle={toggle} />
      )}
      <DraftBar changes={changes} onForget={(done) => forget(done.map(({ role }) => role))} />
    </>
  )
}

const Toolbar = ({ roles, shown, hasPicker }: { roles: Role[]; shown: Role[]; hasPicker: boolean }) => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Group mb="sm" gap="sm">
      <SearchInput
        label={t('roles.search')}
        value={search}
        onChange={(text) =>
          void navigate({ search: (others) => ({ ...others, search: text || undefined }), replace: true })
        }
      />
      <Group ml="auto" gap="sm">
        <ListNews news={useNews(['role'], useRoles())} />
        {hasPicker && (
          <RolePicker
            roles={roles}
            shown={shown}
            onChange={(ids) =>
              void navigate({ search: (others) => ({ ...others, shown: ids }), replace: true })
            }
          />
        )}
      </Group>
    </Group>
  )
}

const NoneFound = () => {
  const { t } = useTranslation()
  return (
    <Paper withBorder>
      <EmptyState
        py="xl"
        icon={<IconListSearch size={32} stroke={1.5} />}
        title={t('roles.noPermission')}
        description={t('roles.noPermissionText')}
      />
    </Paper>
  )
}

interface DraftBarProps {
  changes: Change[]
  onForget: (changes: Change[]) => void
}

/** Offers to review or discard the draft, always in sight. */
const DraftBar = ({ changes, onForget }: DraftBarProps) => {
  const { t } = useTranslation()
  const [isReviewing, setReviewing] = useState(false)
  const count = changes.reduce((sum, { added, removed }) => sum + added.length + removed.length, 0)
  return (
    <>
      <LeaveQuestion isHeld={count > 0} title={t('roles.leaveTitle')} confirm={t('roles.leave')}>
        {t('roles.drafted', { count })}
      </LeaveQuestion>
      {count > 0 && (
        <Paper withBorder shadow="md" p="sm" className="draft-bar">
          <Text size="sm" fw={500} role="status">
            {t('roles.drafted', { count })}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={() => onForget(changes)}>
              {t('roles.discard')}
            </Button>
            <Button onClick={() => setReviewing(true)}>{t('roles.review')}</Button>
          </Group>
        </Paper>
      )}
      {isReviewing && (
        <ReviewModal changes={changes} onSaved={onForget} onClose={() => setReviewing(false)} />
      )}
    </>
  )
}
