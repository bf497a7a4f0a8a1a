import {
  ActionIcon,
  Box,
  Burger,
  Button,
  Group,
  Indicator,
  Kbd,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { IconBell, IconBuilding, IconSearch, IconSelector } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { UserPicture } from '../components/user-picture.tsx'
import icon from '../icon.svg'
import { useInboxOfOtherTabs, useUnread } from '../session/inbox.ts'
import { useMe, useOwnTenants } from '../session/me.ts'
import { useTranslation } from '../translation.ts'
import { paletteKeys } from './nav-pages.ts'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { useScopeTenant } from './tenants.ts'
import { NewMark, useWhatsNew } from './whats-new.tsx'
import type { WindowName } from './windows.tsx'

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

const InboxPopover = lazyPopup('dialog', async () => (await import('./inbox.tsx')).InboxPopover)

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

const TenantName = () => {
  const { t } = useTranslation()
  const { name: known, isUnknown } = useScopeTenant()
  const name = known ?? (isUnknown ? t('shell.tenantUnknown') : '…')
  return (
    <Group gap={8} wrap="nowrap" miw={0}>
      <IconBuilding size={18} stroke={1.75} style={{ flexShrink: 0 }} />
      <Text size="sm" fw={500} className="cut" title={name} maw={200}>
        <VisuallyHidden>{t('fields.tenant')}: </VisuallyHidden>
        {name}
      </Text>
    </Group>
  )
}

/**
 * Always shows the tenant in scope. A person of several tenants can switch between them. With `tenant:enter`, a caller
 * can choose any tenant. The choice applies to every page.
 */
const TenantSwitcher = () => {
  const { can } = useMe()
  const own = useOwnTenants()
  return can('tenant:enter') || own.length > 0 ? <Switcher /> : <TenantName />
}

const TenantList = lazyPopup('listbox', async () => (await import('./tenant-list.tsx')).TenantList)

const Switcher = () => {
  const { t } = useTranslation()
  return (
    <TenantList>
      <UnstyledButton title={t('shell.switchTenant')} className="switcher">
        <TenantName />
        <IconSelector size={16} style={{ flexShrink: 0 }} />
      </UnstyledButton>
    </TenantList>
  )
}
