import { ActionIcon, Indicator, Popover, Tooltip } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useInboxOfOtherTabs, useUnread } from '../session/inbox.ts'

const Inbox = lazy(async () => ({ default: (await import('./inbox.tsx')).Inbox }))

const countMax = 99

export const Bell = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  useInboxOfOtherTabs()
  const count = useUnread().data?.count ?? 0
  const label = t('shell.unread', { count })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <Indicator
            label={count > countMax ? `${countMax}+` : count}
            disabled={count === 0}
            size={16}
            color="red.8"
            offset={6}
          >
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={label}
              onClick={() => setOpen(!isOpen)}
            >
              <IconBell size={20} stroke={1.75} />
            </ActionIcon>
          </Indicator>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t('shell.notifications')}>
        <Suspense>{isOpen && <Inbox onLeave={() => setOpen(false)} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
