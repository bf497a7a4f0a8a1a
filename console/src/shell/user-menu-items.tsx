import { Menu, Stack, Text } from '@mantine/core'
import {
  IconArrowUpCircle,
  IconBook,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconSparkles,
  IconUser,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { PopupButton } from '../components/lazy-popup.tsx'
import { PopupMenu } from '../components/popup-menu.tsx'
import { useTranslation } from '../translation.ts'
import { nameOf } from '../format.ts'
import { accountPages } from '../session/account-pages.ts'
import { client } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { useBrand } from '../session/portal.ts'
import { NewMark, useWhatsNew } from './whats-new.tsx'
import type { WindowName } from './windows.tsx'
import { askAndSignOut } from './use-switch.ts'

/** Requested when the menu opens. */
const Version = () => {
  const { data } = useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => client.system.version({ signal }),
    staleTime: Infinity,
  })
  return (
    <Text size="xs" c="dimmed" px="sm" py={6} mih={28}>
      {data && `Tenantry ${data.version}`}
    </Text>
  )
}

interface UserMenuItemsProps {
  onWindow: (name: WindowName) => void
  children: PopupButton
}

export const UserMenuItems = ({ onWindow, children }: UserMenuItemsProps) => {
  const { t } = useTranslation()
  const { user } = useMe()
  const { isUnseen } = useWhatsNew()
  const { isProduct } = useBrand()
  return (
    <PopupMenu target={children} width={240}>
      <Stack gap={0} px="sm" py={6}>
        <Text size="sm" fw={500} className="cut">
          {nameOf(user)}
        </Text>
        <Text size="xs" c="dimmed" className="cut" title={user.email}>
          {user.email}
        </Text>
      </Stack>
      <Menu.Divider />
      <Menu.Item component="a" href={accountPages.profile} leftSection={<IconUser size={16} />}>
        {t('places.profile')}
      </Menu.Item>
      <Menu.Item component="a" href={accountPages.signIn} leftSection={<IconKey size={16} />}>
        {t('places.changePassword')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowUpCircle size={16} />} onClick={() => onWindow('elevation')}>
        {t('elevation.title')}
      </Menu.Item>
      <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => onWindow('shortcuts')}>
        {t('shell.shortcuts')}
      </Menu.Item>
      <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
        {t('places.reference')}
      </Menu.Item>
      {!isProduct && (
        <Menu.Item
          leftSection={<IconSparkles size={16} />}
          rightSection={isUnseen && <NewMark />}
          onClick={() => onWindow('whatsNew')}
        >
          {t('shell.whatsNew')}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void askAndSignOut()}>
        {t('shell.signOut')}
      </Menu.Item>
      {!isProduct && <Version />}
    </PopupMenu>
  )
}
