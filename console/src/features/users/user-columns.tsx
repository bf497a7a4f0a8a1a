import { Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { ListedUser, User } from '@tenantry/client'
import { Ago } from '../../components/ago.tsx'
import { Cut, idColumn, momentColumn } from '../../components/cells.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { UserPicture } from '../../components/user-picture.tsx'
import { nameOf } from '../../format.ts'
import { isolated } from '../../isolate.ts'
import { systemRoleIds } from '../../session/built-in.ts'
import { useMe } from '../../session/me.ts'
import { useRoleName } from '../../system-roles.ts'
import { useTranslation } from '../../translation.ts'
import { useAttributeColumns } from '../attributes/attribute-lists.views.tsx'
import { StatusButton } from './status-button.tsx'

const Name = ({ user }: { user: User }) => (
  <Group gap="sm" wrap="nowrap">
    <UserPicture user={user} />
    <Stack gap={0} miw={0}>
      <TextLink
        to="/users/$userId"
        params={{ userId: String(user.id) }}
        size="sm"
        fw={500}
        className="cut"
        title={nameOf(user)}
      >
        {nameOf(user)}
      </TextLink>
      {user.nickname !== '' && (
        <Text size="xs" c="dimmed" className="cut">
          {user.username}
        </Text>
      )}
    </Stack>
  </Group>
)

const { member } = systemRoleIds

/** The most letters of names that the column shows whole. */
const lettersMax = 20

const RoleNames = ({ names }: { names: string[] }) => {
  const { comma } = useTranslation()
  const all = names.join(comma)
  const [first = '–', ...more] = names
  if (more.length === 0 || all.length <= lettersMax) return <Cut text={all} shown={all || first} />
  return (
    <Group gap={6} wrap="nowrap" title={all}>
      <Text size="sm" className="cut">
        {first}
      </Text>
      <Text span size="xs" c="dimmed" aria-hidden>
        +{more.length}
      </Text>
      <VisuallyHidden>{more.join(comma)}</VisuallyHidden>
    </Group>
  )
}

const useRolesColumn = (): Column<ListedUser>[] => {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const cell = ({ roles = [] }: ListedUser) => {
    // Every user has the role of new users, so it comes last.
    const ordered = roles.toSorted((one, other) => Number(one.id === member) - Number(other.id === member))
    return <RoleNames names={ordered.map(({ name }) => isolated(roleName(name)))} />
  }
  return useMe().can('role:read')
    ? [{ key: 'roles', isClear: true, width: 10, header: t('users.roles'), cell }]
    : []
}

type Ask = (user: User) => void

const useActionsColumn = (onStatus: Ask): Column<ListedUser>[] => {
  const { t } = useTranslation()
  const column: Column<ListedUser> = {
    key: 'actions',
    width: 4,
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    cell: (user) => <StatusButton user={user} onAsk={onStatus} />,
  }
  return useMe().can('user:update') ? [column] : []
}

/** Sortable columns have the keys of the service's orders. Names and e-mails get the width that the others leave. */
export const useUserColumns = (onStatus: Ask): Column<ListedUser>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'username',
      header: t('fields.name'),
      isFixed: true,
      isSortable: true,
      cell: (user) => <Name user={user} />,
    },
    {
      key: 'email',
      isClear: true,
      header: t('fields.email'),
      isSortable: true,
      cell: ({ email }) => <Cut text={email} />,
    },
    ...useRolesColumn(),
    {
      key: 'status',
      isClear: true,
      width: 7,
      header: t('fields.status'),
      isSortable: true,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      ...momentColumn('last_login', t('fields.lastLogin'), (user) => user.last_login),
      width: 8.5,
      isSortable: true,
    },
    {
      key: 'created_at',
      width: 8.5,
      // The order of ids is that of creation.
      isHidden: true,
      header: t('users.createdAt'),
      isSortable: true,
      cell: ({ created_at: at }) => at && <Ago at={at} />,
    },
    ...useAttributeColumns('user'),
    { ...idColumn(t('fields.id')), width: 4.5, isHidden: false, isSortable: true },
    ...useActionsColumn(onStatus),
  ]
}
