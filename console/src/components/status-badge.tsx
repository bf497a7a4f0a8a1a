import { Badge } from '@mantine/core'
import { IconBan, IconCheck, type Icon } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'

interface SignedProps {
  sign: Icon
  text: string
  className?: string
}

/** A sign, a frame and a background distinguish states without colours. */
export const Signed = ({ sign: Sign, text, className = '' }: SignedProps) => (
  <Badge
    variant="default"
    className={`status ${className}`}
    leftSection={<Sign size={12} stroke={2.5} />}
    tt="none"
    fw={500}
    miw="max-content"
  >
    {text}
  </Badge>
)

export const StatusBadge = ({ status }: { status: 0 | 1 }) => {
  const { t } = useTranslation()
  return status === 1 ? (
    <Signed sign={IconCheck} text={t('common.enabled')} className="status-on" />
  ) : (
    <Signed sign={IconBan} text={t('common.disabled')} className="status-off" />
  )
}
