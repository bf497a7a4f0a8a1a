import { Badge } from '@mantine/core'
import { IconCheck, IconMailQuestion } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'

export const EmailState = ({ isConfirmed }: { isConfirmed: boolean }) => {
  const { t } = useTranslation()
  const Sign = isConfirmed ? IconCheck : IconMailQuestion
  return (
    <Badge
      variant="default"
      className={`status ${isConfirmed ? 'status-on' : 'status-off'}`}
      leftSection={<Sign size={12} stroke={2.5} />}
      tt="none"
      fw={500}
      miw="max-content"
    >
      {t(isConfirmed ? 'common.confirmed' : 'common.notConfirmed')}
    </Badge>
  )
}
