import { ActionIcon, Box, Burger, Button, Group, Kbd, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'
import icon from '../icon.svg'
import { Bell } from './bell.tsx'
import { paletteKeys } from './nav-pages.ts'
import { LanguageMenu, SchemeMenu } from './preference-menu.tsx'
import { TenantSwitcher } from './tenant-switcher.tsx'
import { UserMenu } from './user-menu.tsx'
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
