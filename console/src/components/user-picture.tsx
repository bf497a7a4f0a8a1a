import { Avatar } from '@mantine/core'
import type { User } from '@tenantry/client'
import { initialsOf } from '../initials.ts'

/** The user's picture, or coloured initials. It is a data URL: the page may load no picture from another host. */
export const UserPicture = ({ user, size = 28 }: { user: User; size?: number }) => {
  const name = user.nickname || user.username
  return (
    <Avatar
      src={user.avatar.startsWith('data:') ? user.avatar : null}
      alt=""
      name={name}
      color="initials"
      size={size}
      styles={{ placeholder: { color: 'var(--mantine-color-text)', fontWeight: 500 } }}
      aria-hidden
    >
      {initialsOf(name)}
    </Avatar>
  )
}
