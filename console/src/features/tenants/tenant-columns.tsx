import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Tenant } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { Ago } from '../../components/ago.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useScope } from '../../session/scope.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { TenantMenu, type TenantAction } from './tenant-menu.tsx'

const Mark = ({ children }: { children: string }) => (
  <Badge size="sm" variant="default" tt="none" fw={500} style={{ flexShrink: 0 }}>
    {children}
  </Badge>
)

const Name = ({ tenant: { id, name, slug } }: { tenant: Tenant }) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  return (
    <Stack gap={0} miw={0}>
      <Group gap="xs" wrap="nowrap">
        <TextLink
          to="/tenants/$tenantId"
          params={{ tenantId: id }}
          size="sm"
          fw={500}
          className="cut"
          title={name}
        >
          {name}
        </TextLink>
        {id === builtInTenantId && <Mark>{t('tenants.builtIn')}</Mark>}
        {id === tenantId && <Mark>{t('tenants.current')}</Mark>}
      </Group>
      <Text size="xs" c="dimmed" className="cut" title={slug}>
        {slug}
      </Text>
    </Stack>
  )
}

export const useTenantColumns = (onAction: (action: TenantAction) => void): Column<Tenant>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      isSortable: true,
      cell: (tenant) => <Name tenant={tenant} />,
    },
    {
      key: 'status',
      width: 7.5,
      header: t('fields.status'),
      isSortable: true,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'created_at',
      width: 9,
      header: t('tenants.created'),
      isSortable: true,
      cell: (tenant) => <Ago at={tenant.created_at} />,
    },
    {
      key: 'updated_at',
      width: 9,
      header: t('tenants.updated'),
      isSortable: true,
      isHidden: true,
      cell: (tenant) => <Ago at={tenant.updated_at} />,
    },
    {
      key: 'id',
      header: t('fields.id'),
      isHidden: true,
      cell: ({ id }) => <CopyText text={id} label={t('tenants.copyId')} />,
    },
    {
      key: 'actions',
      width: 6,
      header: t('table.actions'),
      isActions: true,
      cell: (tenant) => <TenantMenu tenant={tenant} onAction={onAction} />,
    },
  ]
}
