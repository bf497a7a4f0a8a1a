import { ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { Notification } from '@tenantry/client'

const looks = {
  info: { color: 'blue', icon: IconInfoCircle },
  success: { color: 'teal', icon: IconCircleCheck },
  warning: { color: 'yellow', icon: IconAlertTriangle },
  error: { color: 'red', icon: IconCircleX },
}

export const NotificationIcon = ({ type }: { type: Notification['type'] }) => {
  const { color, icon: Icon } = looks[type]
  return (
    <ThemeIcon variant="light" color={color} size="md">
      <Icon size={16} />
    </ThemeIcon>
  )
}
