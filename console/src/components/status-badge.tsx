import { Badge } from '@mantine/core'
import { IconBan, IconCheck } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'

/** A sign, a frame and a ground tell the two apart, without colours as well. */
export const StatusBadge = ({ status }: { status: 0 | 1 }) => {
  const { t } = useTranslation()
  const isOn = status === 1
  const Sign = isOn ? IconCheck : IconBan
  return (
    <Badge
      variant="default"
      className={`status ${isOn ? 'status-on' : 'status-off'}`}
      leftSection={<Sign size={12} stroke={2.5} />}
      tt="none"
      fw={500}
      miw="max-content"
    >
      {isOn ? t('common.enabled') : t('common.disabled')}
    </Badge>
  )
}
