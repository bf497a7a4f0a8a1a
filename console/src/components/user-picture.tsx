import { Avatar } from '@mantine/core'
import type { User } from '@tenantry/client'
import { nameOf } from '../format.ts'

/** The user's picture, else the initials on a colour of their own. The page may load no picture from another host. */
export const UserPicture = ({ user, size = 28 }: { user: User; size?: number }) => (
  <Avatar
    src={user.avatar.startsWith('data:') ? user.avatar : null}
    alt=""
    name={nameOf(user)}
    color="initials"
    size={size}
    styles={{ placeholder: { color: 'var(--mantine-color-text)', fontWeight: 500 } }}
    aria-hidden
  />
)
