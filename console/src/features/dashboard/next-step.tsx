import { Button, Card, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useStats } from './use-stats.ts'

/** Suggests the first step in an empty place: a tenant on a new installation, users in a new tenant. */
export const NextStep = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { isOwn } = useScope()
  const { data } = useStats()
  if (!data) return null
  if (can('tenant:read') && can('tenant:create') && isOwn) {
    return data.tenantCount > 1 ? null : (
      <Step title={t('dashboard.firstTenant')} text={t('dashboard.firstTenantText')}>
        <Button component={Link} to="/tenants">
          {t('dashboard.toTenants')}
        </Button>
      </Step>
    )
  }
  return data.userCount > 1 || !can('user:create') ? null : (
    <Step title={t('dashboard.firstUsers')} text={t('dashboard.firstUsersText')}>
      <Button component={Link} to="/users/import" variant="default">
        {t('places.importShort')}
      </Button>
      <Button component={Link} to="/users">
        {t('dashboard.addUsers')}
      </Button>
    </Step>
  )
}

interface StepProps {
  title: string
  text: string
  children: ReactNode
}

const Step = ({ title, text, children }: StepProps) => (
  <Card withBorder padding="lg" component="section">
    <Group justify="space-between" gap="md">
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text size="sm" c="dimmed" maw={640}>
          {text}
        </Text>
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  </Card>
)
