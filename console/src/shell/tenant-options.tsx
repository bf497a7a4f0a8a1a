import { Combobox, Group, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Tenant } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../components/error-text.ts'
import { useFormat } from '../format.ts'
import { useScope } from '../session/scope.ts'
import { findTenants } from './tenants.ts'

export type Enterable = Pick<Tenant, 'id' | 'name' | 'slug' | 'status'>

interface TenantOptionsProps {
  tenants: { data: Enterable[] | undefined; error: unknown }
  search: string
}

/** Longer lists are not read; typing finds the rest. */
const optionsMax = 50

export const TenantOptions = ({ tenants: { data, error }, search }: TenantOptionsProps) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const found = findTenants(data ?? [], search, optionsMax)
  if (!data) return <Combobox.Empty>{error ? textOf(error) : t('common.loading')}</Combobox.Empty>
  if (found.length === 0) return <Combobox.Empty>{t('shell.noTenant')}</Combobox.Empty>
  return (
    <>
      <Combobox.Options
        aria-label={t('shell.switchTenant')}
        tabIndex={0}
        mah={320}
        style={{ overflowY: 'auto' }}
      >
        {found.map((tenant) => (
          <TenantOption key={tenant.id} tenant={tenant} />
        ))}
      </Combobox.Options>
      {found.length === optionsMax && <More total={data.length} />}
    </>
  )
}

const More = ({ total }: { total: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Combobox.Footer>
      <Text size="xs" c="dimmed">
        {t('shell.moreTenants', { shown: optionsMax, total: format.count(total) })}
      </Text>
    </Combobox.Footer>
  )
}

const TenantOption = ({ tenant: { id, name, slug, status } }: { tenant: Enterable }) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  return (
    <Combobox.Option value={id} active={id === tenantId}>
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text size="sm" className="cut" title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {slug}
            {status === 0 && ` · ${t('common.disabled')}`}
          </Text>
        </Stack>
        {id === tenantId && <IconCheck size={16} />}
      </Group>
    </Combobox.Option>
  )
}
