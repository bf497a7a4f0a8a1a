import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export const StatusBadge = ({ status }: { status: 0 | 1 }) => {
  const { t } = useTranslation()
  return (
    <Badge variant="dot" color={status === 1 ? 'teal' : 'gray'} tt="none" fw={500} miw="max-content">
      {status === 1 ? t('common.enabled') : t('common.disabled')}
    </Badge>
  )
}
