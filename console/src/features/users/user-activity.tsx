import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { TextLink } from '../../components/text-link.tsx'
import { AuditRecords } from '../audit/audit.views.tsx'

const route = getRouteApi('/shell/users/$userId')

export const UserActivity = ({ user: { id } }: { user: User }) => {
  const { t } = useTranslation()
  return (
    <AuditRecords
      label={t('users.activity')}
      name="user-activity"
      filters={{ user_id: id }}
      search={route.useSearch()}
      hides="who"
      toolbar={
        <Text size="sm" c="dimmed">
          {t('users.activityText')}{' '}
          <TextLink to="/audit" search={{ user_id: id }} underline="always">
            {t('users.toAudit')}
          </TextLink>
        </Text>
      }
      empty={{ title: t('users.noActivity') }}
    />
  )
}
