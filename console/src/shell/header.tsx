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
  useComputedColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { IconBell, IconBuilding, IconSearch, IconSelector } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazyPopup } from '../components/lazy-popup.tsx'
import { UserPicture } from '../components/user-picture.tsx'
import { loadPage } from '../i18n.ts'
import ownIcon from '../icon.svg'
import { useInboxOfOtherTabs, useUnread } from '../session/inbox.ts'
import { useMe, useOwnTenants } from '../session/me.ts'
import { useBrand } from '../session/portal.ts'
import { supportNow } from '../session/support.ts'
import { useTranslation } from '../translation.ts'
import { paletteKeys, useInboxPage } from './nav-pages.ts'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { useScopeName } from './tenants.ts'
import { NewMark, useWhatsNew } from './whats-new.tsx'
import type { WindowName } from './windows.tsx'

interface HeaderProps {
  isMenuOpen: boolean
  onMenu: () => void
  onSearch: () => void
  onWindow: (name: WindowName) => void
}

/** The logo of the product, or its first letter. */
const Mark = () => {
  const { product, logo, logo_dark: dark, icon, isProduct } = useBrand()
  const isDark = useComputedColorScheme() === 'dark'
  const image = (isDark && dark) || logo || icon || (isProduct ? '' : ownIcon)
  if (image !== '') return <img src={image} height={26} alt="" />
  return <span className="home-letter" data-letter={[...product][0]} />
}

/** Leads to the first page. */
export const Home = ({ onClick }: { onClick?: () => void }) => {
  const { product } = useBrand()
  return (
    <Link to="/" className="home" aria-label={product} {...(onClick && { onClick })}>
      <Mark />
      <Text fw={600} className="cut home-name" maw={200} title={product}>
        {product}
      </Text>
    </Link>
  )
}

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
        {useInboxPage().length > 0 && <Bell />}
        <Group gap={6} wrap="nowrap" visibleFrom="sm">
          <SchemeMenu />
          <LanguageMenu />
        </Group>
        {!supportNow && <UserMenu onWindow={onWindow} />}
      </Group>
    </div>
  )
}

const loadInbox = loadPage(['platform'], () => import('./inbox.tsx'))
const InboxPopover = lazyPopup('dialog', async () => (await loadInbox()).InboxPopover)

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
  const { isProduct } = useBrand()
  return (
    <UserMenuItems onWindow={onWindow}>
      <UnstyledButton className="round">
        <UserPicture user={user} size={34} />
        <VisuallyHidden>{t('shell.account')}</VisuallyHidden>
        {isUnseen && !isProduct && <NewMark />}
      </UnstyledButton>
    </UserMenuItems>
  )
}

const TenantName = () => {
  const { t } = useTranslation()
  const name = useScopeName()
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
