import { ActionIcon } from '@mantine/core'
import { IconUserCheck, IconUserOff } from '@tabler/icons-react'
import type { User } from '@tenantry/client'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'

interface StatusButtonProps {
  user: User
  onAsk: (user: User) => void
}

/** Asks to disable the user of a row, or to enable them. Callers have none for themselves. */
export const StatusButton = ({ user, onAsk }: StatusButtonProps) => {
  const { t } = useTranslation()
  const isEnabled = user.status === 1
  const Sign = isEnabled ? IconUserOff : IconUserCheck
  if (useMe().user.id === user.id) return null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(isEnabled ? 'userStatus.disable' : 'userStatus.enable', { name: nameOf(user) })}
      data-hint={t(isEnabled ? 'users.disable' : 'users.enable')}
      onClick={() => onAsk(user)}
    >
      <Sign size={16} />
    </ActionIcon>
  )
}
