import { Group, Stack, Text } from '@mantine/core'
import type { ListedUser, User } from '@tenantry/client'
import { isolated } from '../../isolate.ts'
import { useTranslation } from '../../translation.ts'
import { Ago, AgoOrNever } from '../../components/ago.tsx'
import { UserPicture } from '../../components/user-picture.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'

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

const useRolesColumn = (): Column<ListedUser>[] => {
  const { t } = useTranslation()
  const cell = ({ roles = [] }: ListedUser) => {
    const names = roles.map(({ name }) => isolated(name)).join(', ')
    return (
      <Text size="sm" className="cut" title={names}>
        {names || '–'}
      </Text>
    )
  }
  return useMe().can('role:read') ? [{ key: 'roles', header: t('users.roles'), cell }] : []
}

const Id = ({ id }: User) => (
  <Text size="sm" className="numbers">
    {id}
  </Text>
)

/** The keys of sortable columns are the service's orders. */
export const useUserColumns = (): Column<ListedUser>[] => {
  const { t } = useTranslation()
  const id = { key: 'id', width: 5.5, header: t('fields.id'), isSortable: true, cell: Id }
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
      header: t('fields.email'),
      isSortable: true,
      cell: ({ email }) => (
        <Text size="sm" className="cut" title={email}>
          {email}
        </Text>
      ),
    },
    ...useRolesColumn(),
    {
      key: 'status',
      width: 7.5,
      header: t('fields.status'),
      isSortable: true,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'last_login',
      width: 9,
      header: t('fields.lastLogin'),
      isSortable: true,
      cell: ({ last_login: at }) => <AgoOrNever at={at} />,
    },
    {
      key: 'created_at',
      width: 9,
      header: t('users.createdAt'),
      isSortable: true,
      cell: ({ created_at: at }) => at && <Ago at={at} />,
    },
    id,
  ]
}
