import { Combobox, Group, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Membership, Tenant } from '@tenantry/client'
import { useTranslation } from '../translation.ts'
import { useErrorText } from '../components/error-text.ts'
import { useFormat } from '../format.ts'
import { isOpen } from '../session/memberships.ts'
import { useScope } from '../session/scope.ts'
import { findTenants } from './tenants.ts'

export type Enterable = Pick<Tenant, 'id' | 'name' | 'slug' | 'status'>

interface TenantOptionsProps {
  /** The person's own tenants, to which they switch. */
  own: Membership[]
  /** Other tenants that the person may enter. */
  tenants: { data: Enterable[] | undefined; error: unknown; isPending?: boolean; total?: number | undefined }
  search: string
}

const find = ({ own, tenants: { data = [] }, search }: TenantOptionsProps) => {
  const mine = own.map((one) => ({ ...one.tenant, isClosed: !isOpen(one) }))
  const others = data.filter(({ id }) => !mine.some((one) => one.id === id))
  return { mine: findTenants(mine, search), others: findTenants(others, search) }
}

export const TenantOptions = (props: TenantOptionsProps) => {
  const { t } = useTranslation()
  const { data, error, isPending, total } = props.tenants
  const { mine, others } = find(props)
  const isEmpty = mine.length + others.length === 0
  return (
    <>
      {!isEmpty && (
        <Combobox.Options
          aria-label={t('shell.switchTenant')}
          tabIndex={0}
          mah={320}
          style={{ overflowY: 'auto' }}
        >
          <TenantGroup label={t('shell.ownTenants')} tenants={mine} />
          <TenantGroup label={props.own.length > 0 ? t('shell.otherTenants') : ''} tenants={others} />
        </Combobox.Options>
      )}
      {!data && <Missing error={error} />}
      {data && isEmpty && <NoneFound isPending={isPending} />}
      {data && <More shown={data.length} total={total} />}
    </>
  )
}

const NoneFound = ({ isPending }: { isPending: boolean | undefined }) => {
  const { t } = useTranslation()
  return <Combobox.Empty>{t(isPending ? 'common.loading' : 'shell.noTenant')}</Combobox.Empty>
}

const Missing = ({ error }: { error: unknown }) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  return <Combobox.Empty>{error ? textOf(error) : t('common.loading')}</Combobox.Empty>
}

interface Choice extends Enterable {
  /** True if it cannot be chosen: the person or the tenant is disabled. */
  isClosed?: boolean
}

const TenantGroup = ({ label, tenants }: { label: string; tenants: Choice[] }) =>
  tenants.length > 0 && (
    <Combobox.Group label={label}>
      {tenants.map((tenant) => (
        <TenantOption key={tenant.id} tenant={tenant} />
      ))}
    </Combobox.Group>
  )

const More = ({ shown, total = 0 }: { shown: number; total: number | undefined }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (total <= shown) return null
  return (
    <Combobox.Footer>
      <Text size="xs" c="dimmed">
        {t('shell.moreTenants', { shown, total: format.count(total) })}
      </Text>
    </Combobox.Footer>
  )
}

const TenantOption = ({ tenant: { id, name, slug, status, isClosed = false } }: { tenant: Choice }) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  return (
    <Combobox.Option value={id} active={id === tenantId} aria-current={id === tenantId} disabled={isClosed}>
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text size="sm" className="cut" title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {slug}
            {(isClosed || status === 0) && ` · ${t('common.disabled')}`}
          </Text>
        </Stack>
        {id === tenantId && <IconCheck size={16} />}
      </Group>
    </Combobox.Option>
  )
}
