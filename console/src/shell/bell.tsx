import { ActionIcon, Indicator } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { useInboxOfOtherTabs, useUnread } from '../session/inbox.ts'
import { useTranslation } from '../translation.ts'

const InboxPopover = lazyPopup('dialog', async () => (await import('./inbox-popover.tsx')).InboxPopover)

const countMax = 99

export const Bell = () => {
  const { t } = useTranslation()
  useInboxOfOtherTabs()
  const count = useUnread().data?.count ?? 0
  const label = t('shell.unread', { count })
  return (
    <Indicator
      label={count > countMax ? `${countMax}+` : count}
      disabled={count === 0}
      size={16}
      color="red.8"
      offset={6}
    >
      <InboxPopover>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} data-hint={label}>
          <IconBell size={20} stroke={1.75} />
        </ActionIcon>
      </InboxPopover>
    </Indicator>
  )
}
