import { Group, Stack, Text } from '@mantine/core'
import type { User } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../components/ago.tsx'
import { Initials } from '../../components/initials.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { nameOf } from '../../format.ts'

const Name = ({ user }: { user: User }) => (
  <Group gap="sm" wrap="nowrap">
    <Initials user={user} />
    <Stack gap={0} miw={0}>
      <TextLink
        to="/users/$userId"
        params={{ userId: String(user.id) }}
        size="sm"
        fw={500}
        c="inherit"
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

export const useUserColumns = (): Column<User>[] => {
  const { t } = useTranslation()
  return [
    { key: 'name', header: t('fields.name'), isFixed: true, cell: (user) => <Name user={user} /> },
    {
      key: 'email',
      header: t('fields.email'),
      cell: ({ email }) => (
        <Text size="sm" className="cut" title={email}>
          {email}
        </Text>
      ),
    },
    { key: 'status', header: t('fields.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'lastLogin',
      header: t('fields.lastLogin'),
      cell: ({ last_login: at }) =>
        at === '' ? (
          <Text size="sm" c="dimmed">
            {t('common.never')}
          </Text>
        ) : (
          <Ago at={at} />
        ),
    },
    {
      key: 'id',
      header: t('fields.id'),
      isSortable: true,
      cell: ({ id }) => (
        <Text size="sm" className="numbers">
          {id}
        </Text>
      ),
    },
  ]
}
