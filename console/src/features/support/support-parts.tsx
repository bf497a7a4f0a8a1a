import { Button, Code, Group } from '@mantine/core'
import {
  IconBan,
  IconCheck,
  IconClock,
  IconHourglassEmpty,
  IconPlayerPlay,
  IconPlayerStop,
  type Icon,
} from '@tabler/icons-react'
import type { SupportSession } from '@tenantry/client'
import { useState } from 'react'
import { Signed } from '../../components/status-badge.tsx'
import { useTranslation } from '../../translation.ts'
import type { Status } from './support.search.ts'

const signs: Record<Status, Icon> = {
  waiting: IconClock,
  ready: IconCheck,
  active: IconPlayerPlay,
  over: IconPlayerStop,
  refused: IconBan,
  expired: IconHourglassEmpty,
}

export const SupportBadge = ({ status }: { status: Status }) => {
  const { t } = useTranslation()
  const isOn = status === 'ready' || status === 'active'
  return (
    <Signed
      sign={signs[status]}
      text={t(`supportStatuses.${status}`)}
      className={isOn ? 'status-on' : 'status-off'}
    />
  )
}

/** The name of the person who asks, with a note for staff of the installation. */
export const useActorName = () => {
  const { t } = useTranslation()
  return ({ actor }: SupportSession): string =>
    actor.kind === 'platform' ? t('support.staff', { name: actor.name }) : actor.name
}

/** An administrator has over 60. */
const shownMax = 12

/** The most that the session may do. */
export const Permissions = ({ codes }: { codes: string[] }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (codes.length === 0) return t('support.noPermissions')
  return (
    <>
      <Group gap={6}>
        {codes.slice(0, isOpen ? undefined : shownMax).map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </Group>
      {codes.length > shownMax && (
        <Button
          mt={6}
          size="compact-xs"
          variant="subtle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'support.less' : 'support.more')}
        </Button>
      )}
    </>
  )
}
