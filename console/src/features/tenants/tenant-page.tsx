import { Alert, Button, DataList, Grid, Skeleton, Stack } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PermissionCode, Tenant } from '@tenantry/client'
import { Fragment, type ReactNode } from 'react'
import { CopyText } from '../../components/copy-text.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { ShownTenant } from '../../session/scope.ts'
import { tenantQuery } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import { History } from '../audit/history.views.tsx'
import { TenantAttributes } from '../attributes/attributes.views.tsx'
import { useTenantActions } from './tenant-actions.tsx'
import { TenantMenu, useEnter } from './tenant-menu.tsx'
import { Administrators, LatestUsers, TenantRecords, TenantSettings } from './tenant-parts.tsx'

const SignUps = lazyPart(
  async () => (await import('../dashboard/dashboard.views.tsx')).SignUps,
  <Skeleton height={400} />,
)

const route = getRouteApi('/shell/tenants/$tenantId')

/** Shows a tenant without putting it in scope. */
export const TenantPage = () => {
  const tenant = useQuery(tenantQuery(route.useParams().tenantId))
  return (
    <ResourcePage of="/tenants" query={tenant} height={320}>
      {(data) => <TenantDetails tenant={data} />}
    </ResourcePage>
  )
}

const TenantDetails = ({ tenant }: { tenant: Tenant }) => {
  const { t } = useTranslation()
  const { tenant: home } = useMe()
  const { act, error, dialog } = useTenantActions()
  return (
    <>
      <PageHeader
        title={tenant.name}
        description={tenant.slug}
        marks={<StatusBadge status={tenant.status} />}
        actions={
          <>
            <TenantMenu tenant={tenant} onAction={act} />
            <Enter id={tenant.id} />
          </>
        }
      />
      {error}
      <Grid className="columns-in-order">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack className="in-order">
            <Facts tenant={tenant} />
            <TenantAttributes id={tenant.id} />
            {/* Its records belong to the caller's own tenant, also while this tenant is in scope. */}
            <ShownTenant value={home.id}>
              <History resource="tenant" id={tenant.id} hint={t('tenant.history')} />
            </ShownTenant>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <TenantContents id={tenant.id} />
        </Grid.Col>
      </Grid>
      {dialog}
    </>
  )
}

const Enter = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const enter = useEnter()
  if (!useMe().can('tenant:enter')) return null
  return (
    <Button renderRoot={enter(id)} leftSection={<IconLogin2 size={16} />}>
      {t('tenants.enter')}
    </Button>
  )
}

const Facts = ({ tenant }: { tenant: Tenant }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const facts = [
    [t('tenants.created'), format.moment(tenant.created_at)],
    [t('tenants.updated'), format.moment(tenant.updated_at)],
  ]
  return (
    <SectionCard title={t('tenant.facts')}>
      <DataList>
        <DataList.Item>
          <DataList.ItemLabel>{t('fields.id')}</DataList.ItemLabel>
          <DataList.ItemValue miw={0}>
            <CopyText text={tenant.id} label={t('tenants.copyId')} />
          </DataList.ItemValue>
        </DataList.Item>
        {facts.map(([label, value]) => (
          <DataList.Item key={label}>
            <DataList.ItemLabel>{label}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </SectionCard>
  )
}

/** The parts that need requests in the tenant, for callers who may enter it. */
const TenantContents = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const { can, tenant: own } = useMe()
  if (id !== own.id && !can('tenant:enter')) return <Alert color="gray">{t('tenant.closed')}</Alert>
  return (
    <ShownTenant value={id}>
      <Stack className="in-order">
        {parts
          .filter(({ needs }) => needs.every(can))
          .map(({ key, part }) => (
            <Fragment key={key}>{part}</Fragment>
          ))}
      </Stack>
    </ShownTenant>
  )
}

const parts: { key: string; needs: PermissionCode[]; part: ReactNode }[] = [
  { key: 'administrators', needs: ['role:read', 'user:read'], part: <Administrators /> },
  { key: 'users', needs: ['user:read'], part: <LatestUsers /> },
  { key: 'sign-ups', needs: ['dashboard:read'], part: <SignUps days={30} /> },
  { key: 'settings', needs: ['setting:read'], part: <TenantSettings /> },
  { key: 'records', needs: ['audit:read'], part: <TenantRecords /> },
]
