import { ActionIcon, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Permission, PermissionCode, Role, User } from '@tenantry/client'
import { useState } from 'react'
import { IconCopy, IconTrash, IconX } from '@tabler/icons-react'
import { DialogButton } from '../../components/dialog-button.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { TablePager } from '../../components/table-pager.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { UserLine } from '../../components/user-line.tsx'
import { nameOf } from '../../format.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { History } from '../audit/history.views.tsx'
import { PermissionGroups } from './permission-groups.views.tsx'
import { RoleChanges } from './role-changes.tsx'
import { changesOf, countAfter, holds, type RoleDraft, type SetCells, useRoleDraft } from './role-draft.ts'
import {
  useCanChange,
  useCanDuplicate,
  useHolders,
  useLacking,
  usePermissions,
  useRole,
} from './roles.queries.ts'
import { RoleMark } from './roles.views.tsx'

const TakeRole = lazyPart(async () => (await import('./take-role.views.tsx')).TakeRole)
const loadHolders = loadPage(['access', 'platform', 'roleEnds'], () => import('./add-holders.tsx'))
const AddHolders = lazyPart(async () => (await loadHolders()).AddHolders)

const route = getRouteApi('/shell/roles/$roleId')

const EditRole = lazyPart(async () => (await import('./role-dialogs.views.tsx')).EditRole)
const DuplicateRole = lazyPart(async () => (await import('./role-dialogs.views.tsx')).DuplicateRole)
const DeleteRole = lazyPart(async () => (await import('./role-dialogs.views.tsx')).DeleteRole)

export const RolePage = () => {
  const role = useRole(Number(route.useParams().roleId))
  return (
    <ResourcePage of="/roles" query={role} height={320}>
      {(data) => (
        // A duplicate begins without the draft of its original.
        <RoleDetails key={data.id} role={data} />
      )}
    </ResourcePage>
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

/** The link to the catalogue, in which a system role is a template. */
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

/** The actions that the caller may take and that the service would accept. */
const RoleActions = ({ role, canChange }: { role: Role; canChange: boolean }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const canDuplicate = useCanDuplicate()(role)
  return (
    <>
      <MoreMenu
        actions={[
          canDuplicate && {
            label: t('roles.duplicate'),
            icon: IconCopy,
            renderWindow: (onClose) => <DuplicateRole role={role} onClose={onClose} />,
          },
          canChange &&
            can('role:delete') && {
              label: t('roles.delete'),
              icon: IconTrash,
              isDeletion: true,
              renderWindow: (onClose) => <DeleteRole role={role} onClose={onClose} />,
            },
        ]}
      />
      {role.is_system && can('catalogue:manage') && <ToCatalogue role={role} />}
      {canChange && can('role:update') && (
        <DialogButton variant="default" label={t('roles.edit')}>
          {(onClose) => <EditRole role={role} onClose={onClose} />}
        </DialogButton>
      )}
    </>
  )
}

interface RolePermissionsProps {
  role: Role
  draft: RoleDraft
  setCells: SetCells
  canChange: boolean
}

const RolePermissions = (props: RolePermissionsProps) => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          {t('roles.permissions', { count: countAfter(props.role, props.draft) })}
        </Title>
        <SearchInput
          label={t('roles.search')}
          value={search}
          onChange={(text) =>
            void navigate({ search: (others) => ({ ...others, search: text || undefined }), replace: true })
          }
        />
      </Group>
      {props.canChange ? (
        <ChosenPermissions search={search} {...props} />
      ) : (
        <PermissionGroups permissions={props.role.permissions} search={search} isHeld={() => true} />
      )}
    </Card>
  )
}

const ChosenPermissions = ({ role, draft, setCells, search }: RolePermissionsProps & { search: string }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const query = usePermissions()
  return (
    <Loaded query={query} height={320}>
      {(permissions) => (
        <PermissionGroups
          permissions={permissions}
          search={search}
          isHeld={(permission) => holds(role, permission)}
          choosing={{
            draftedOf: ({ id }) => draft.get(role.id)?.get(id),
            reasonOf: ({ code }: Permission) => (can(code as PermissionCode) ? undefined : t('roles.notOwn')),
            onChoose: (chosen, isWanted) => setCells(role, chosen, isWanted),
          }}
        />
      )}
    </Loaded>
  )
}

const RoleHolders = ({ role }: { role: Role }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [leaving, setLeaving] = useState<User>()
  const canGive = useLacking()([role]).length === 0 && can('role:assign')
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          {t('roles.heldBy')}
        </Title>
        {canGive && can('user:read') && (
          <DialogButton size="xs" variant="default" label={t('roles.add')}>
            {(onClose) => <AddHolders role={role} onClose={onClose} />}
          </DialogButton>
        )}
      </Group>
      {can('user:read') ? (
        <HolderList role={role} canTake={canGive} onTake={setLeaving} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('roles.holdersHidden')}
        </Text>
      )}
      {leaving && <TakeRole role={role} user={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}

interface HolderListProps {
  role: Role
  canTake: boolean
  onTake: (user: User) => void
}

const HolderList = ({ role, canTake, onTake }: HolderListProps) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const onPage = usePageChange()
  const holders = useHolders(role.id, search)
  if (!holders.data) {
    return holders.error ? (
      <ErrorPanel error={holders.error} onRetry={() => void holders.refetch()} />
    ) : (
      <Skeleton height={200} />
    )
  }
  if (holders.data.total === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('roles.heldByNobody')}
      </Text>
    )
  }
  return (
    <>
      <Stack gap="sm" style={{ opacity: holders.isPlaceholderData ? 0.6 : 1 }}>
        {holders.data.items.map((user) => (
          <Holder key={user.id} user={user} {...(canTake ? { onTake: () => onTake(user) } : {})} />
        ))}
      </Stack>
      <TablePager rows={holders} page={search} onPage={onPage} />
    </>
  )
}

const Holder = ({ user, onTake }: { user: User; onTake?: () => void }) => {
  const { t } = useTranslation()
  const label = t('roles.takeFrom', { name: nameOf(user) })
  return (
    <UserLine
      user={user}
      tab="access"
      title={t('roles.why')}
      action={
        onTake && (
          <ActionIcon variant="subtle" color="gray" aria-label={label} data-hint={label} onClick={onTake}>
            <IconX size={16} />
          </ActionIcon>
        )
      }
    />
  )
}
