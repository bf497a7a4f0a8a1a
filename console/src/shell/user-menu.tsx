import { Menu, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconKey, IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { mayLeave } from '../components/held.ts'
import { Initials } from '../components/initials.tsx'
import { nameOf } from '../format.ts'
import { signOut } from '../session/client.ts'
import { useMe } from '../session/me.ts'

/** Asks about unsaved work first, because it cannot be saved without a session. */
const askAndSignOut = async (): Promise<void> => {
  if (await mayLeave()) await signOut()
}

export const UserMenu = () => {
  const { t } = useTranslation()
  const { user } = useMe()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton style={{ borderRadius: '50%' }}>
          <Initials user={user} size={34} />
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
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void askAndSignOut()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
