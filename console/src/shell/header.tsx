import {
  ActionIcon,
  Box,
  Burger,
  Button,
  Group,
  Kbd,
  Text,
  Indicator,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { IconSearch, IconBell } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'
import icon from '../icon.svg'
import { paletteKeys } from './nav-pages.ts'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { TenantSwitcher } from './tenant-switcher.tsx'
import type { WindowName } from './windows.tsx'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { useInboxOfOtherTabs, useUnread } from '../session/inbox.ts'
import { UserPicture } from '../components/user-picture.tsx'
import { useMe } from '../session/me.ts'
import { NewMark } from './new-mark.tsx'
import { useWhatsNew } from './whats-new.ts'

interface HeaderProps {
  isMenuOpen: boolean
  onMenu: () => void
  onSearch: () => void
  onWindow: (name: WindowName) => void
}

const Home = () => (
  <Link to="/" className="home" aria-label="Tenantry">
    <img src={icon} width={26} height={26} alt="" />
    <Text fw={600} visibleFrom="md">
      Tenantry
    </Text>
  </Link>
)

const Search = ({ onSearch }: { onSearch: () => void }) => {
  const { t } = useTranslation()
  return (
    <>
      <Button
        variant="default"
        size="sm"
        visibleFrom="md"
        onClick={onSearch}
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd size="xs">{paletteKeys.join(' ')}</Kbd>}
        c="dimmed"
        fw={400}
      >
        {t('shell.search')}
      </Button>
      <ActionIcon
        hiddenFrom="md"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('shell.search')}
        data-hint={t('shell.search')}
        onClick={onSearch}
      >
        <IconSearch size={20} stroke={1.75} />
      </ActionIcon>
    </>
  )
}

export const Header = ({ isMenuOpen, onMenu, onSearch, onWindow }: HeaderProps) => {
  const { t } = useTranslation()
  return (
    <div className="frame-bar">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Burger
          opened={isMenuOpen}
          onClick={onMenu}
          hiddenFrom="sm"
          size="sm"
          aria-label={t('shell.menu')}
          aria-expanded={isMenuOpen}
        />
        <Box visibleFrom="sm">
          <Home />
        </Box>
        <TenantSwitcher />
      </Group>
      <Group gap={6} wrap="nowrap">
        <Search onSearch={onSearch} />
        <Bell />
        <Group gap={6} wrap="nowrap" visibleFrom="sm">
          <SchemeMenu />
          <LanguageMenu />
        </Group>
        <UserMenu onWindow={onWindow} />
      </Group>
    </div>
  )
}

const InboxPopover = lazyPopup('dialog', async () => (await import('./inbox-popover.tsx')).InboxPopover)

const countMax = 99

const Bell = () => {
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

const UserMenuItems = lazyPopup('menu', async () => (await import('./user-menu-items.tsx')).UserMenuItems)

const UserMenu = ({ onWindow }: { onWindow: (name: WindowName) => void }) => {
  const { t } = useTranslation()
  const { user } = useMe()
  const { isUnseen } = useWhatsNew()
  return (
    <UserMenuItems onWindow={onWindow}>
      <UnstyledButton className="round">
        <UserPicture user={user} size={34} />
        <VisuallyHidden>{t('shell.account')}</VisuallyHidden>
        {isUnseen && <NewMark />}
      </UnstyledButton>
    </UserMenuItems>
  )
}
