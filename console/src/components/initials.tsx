import { Avatar } from '@mantine/core'
import type { User } from '@tenantry/client'
import { nameOf } from '../format.ts'

/** The user's initials on a colour of their own. The page may load no picture from another host. */
export const Initials = ({ user, size = 28 }: { user: User; size?: number }) => (
  <Avatar
    name={nameOf(user)}
    color="initials"
    size={size}
    styles={{ placeholder: { color: 'var(--mantine-color-text)', fontWeight: 500 } }}
    aria-hidden
  />
)
