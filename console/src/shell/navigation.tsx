import { NavLink, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useMe } from '../session/me.ts'
import { inbox, places } from './places.ts'

export const Navigation = ({ onNavigate }: { onNavigate: () => void }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  return (
    <Stack gap={4}>
      {[...places.filter(({ needs }) => can(needs)), inbox].map(({ to, title, icon: Icon }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          className="nav-link"
          label={t(title)}
          leftSection={<Icon size={18} stroke={1.75} />}
          onClick={onNavigate}
          style={{ borderRadius: 'var(--mantine-radius-md)' }}
        />
      ))}
    </Stack>
  )
}
