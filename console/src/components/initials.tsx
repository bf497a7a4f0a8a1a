import { Avatar } from '@mantine/core'
import type { User } from '@tenantry/client'

/** A user's letters on a colour of their own. Their picture may lie on any host, and the page loads from its own alone. */
export const Initials = ({ user, size = 28 }: { user: User; size?: number }) => (
  <Avatar
    name={user.nickname || user.username}
    color="initials"
    size={size}
    styles={{ placeholder: { color: 'var(--mantine-color-text)', fontWeight: 500 } }}
    aria-hidden
  />
)
