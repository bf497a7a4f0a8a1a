import { Group, Stack, Text } from '@mantine/core'
import type { User } from '@tenantry/client'
import type { ReactNode } from 'react'
import { nameOf } from '../format.ts'
import { useScope } from '../session/scope.ts'
import { StatusBadge } from './status-badge.tsx'
import { TextLink } from './text-link.tsx'
import { UserPicture } from './user-picture.tsx'

interface UserLineProps {
  user: User
  /** The tab of the user's page that the name opens. */
  tab?: 'access'
  title?: string
  action?: ReactNode
}

export const UserLine = ({ user, tab, title = nameOf(user), action }: UserLineProps) => (
  <Group justify="space-between" wrap="nowrap">
    <Group gap="sm" wrap="nowrap" miw={0}>
      <UserPicture user={user} />
      <Stack gap={0} miw={0}>
        <TextLink
          to="/users/$userId"
          params={{ userId: String(user.id) }}
          search={{ ...useScope().link, tab }}
          size="sm"
          fw={500}
          className="cut"
          title={title}
        >
          {nameOf(user)}
        </TextLink>
        <Text size="xs" c="dimmed" className="cut" title={user.email}>
          {user.email}
        </Text>
      </Stack>
      {user.status === 0 && <StatusBadge status={0} />}
    </Group>
    {action}
  </Group>
)
