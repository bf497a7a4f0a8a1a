import { IconBan, IconCheck, IconPencil } from '@tabler/icons-react'
import type { Connection } from '@tenantry/client'
import { Signed } from '../../components/status-badge.tsx'
import { useTranslation } from '../../translation.ts'

const looks = {
  active: { sign: IconCheck, className: 'status-on' },
  draft: { sign: IconPencil, className: '' },
  disabled: { sign: IconBan, className: 'status-off' },
}

export const ConnectionStatus = ({ status }: Pick<Connection, 'status'>) => {
  const { t } = useTranslation()
  return <Signed {...looks[status]} text={t(`connections.${status}`)} />
}
