import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { useMe } from '../../session/me.ts'
import { Activity } from './activity.tsx'
import { Health } from './health.tsx'
import { NextStep } from './next-step.tsx'
import { OverTime } from './over-time.tsx'
import { StatCards } from './stat-cards.tsx'

export const DashboardPage = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  return (
    <>
      <PageHeader title={t('places.dashboard')} description={t('dashboard.description')} />
      <Stack gap="md">
        <NextStep />
        <StatCards />
        <OverTime />
        {can('audit:read') && <Activity />}
        {/* Anybody may ask for it; callers who see all tenants look after the installation. */}
        {can('tenant:read') && <Health />}
      </Stack>
    </>
  )
}
