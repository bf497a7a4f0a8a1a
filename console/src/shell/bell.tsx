import { ActionIcon, Indicator, Popover, Skeleton, Tooltip } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../components/lazy-part.tsx'
import { useInboxOfOtherTabs, useUnread } from '../session/inbox.ts'

const Inbox = lazyPart(async () => (await import('./inbox.tsx')).Inbox, <Skeleton height={160} />)

const countMax = 99

export const Bell = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useInboxOfOtherTabs()
  const count = useUnread().data?.count ?? 0
  const label = t('shell.unread', { count })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Indicator
        label={count > countMax ? `${countMax}+` : count}
        disabled={count === 0}
        size={16}
        color="red.8"
        offset={6}
      >
        <Tooltip label={label} disabled={isOpen}>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={label}
              onClick={() => setOpen(!isOpen)}
            >
              <IconBell size={20} stroke={1.75} />
            </ActionIcon>
          </Popover.Target>
        </Tooltip>
      </Indicator>
      <Popover.Dropdown p="sm" aria-label={t('shell.notifications')}>
        {isOpen && <Inbox onLeave={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}
