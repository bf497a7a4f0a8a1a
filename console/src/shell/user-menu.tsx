import { Menu, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBook, IconKey, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { UserPicture } from '../components/user-picture.tsx'
import { nameOf } from '../format.ts'
import { client } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { askAndSignOut } from './ask-and-sign-out.ts'

/** Asked for when the menu opens. */
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

export const UserMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const { t } = useTranslation()
  const { user } = useMe()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton style={{ borderRadius: '50%' }}>
          <UserPicture user={user} size={34} />
          <VisuallyHidden>{t('shell.account')}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={0} px="sm" py={6}>
          <Text size="sm" fw={500} className="cut">
            {nameOf(user)}
          </Text>
          <Text size="xs" c="dimmed" className="cut" title={user.email}>
            {user.email}
          </Text>
        </Stack>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
          {t('places.profile')}
        </Menu.Item>
        <Menu.Item component={Link} to="/profile" hash="password" leftSection={<IconKey size={16} />}>
          {t('places.changePassword')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShortcuts}>
          {t('shell.shortcuts')}
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
          {t('places.reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void askAndSignOut()}>
          {t('shell.signOut')}
        </Menu.Item>
        <Version />
      </Menu.Dropdown>
    </Menu>
  )
}
