import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Flag, FlagOverride } from '@tenantry/client'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TablePager } from '../../components/table-pager.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { LazySelect } from '../../components/lazy-select.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { useMe } from '../../session/me.ts'
import { client } from '../../session/client.ts'
import { useTranslation } from '../../translation.ts'
import { useOverrides } from './flags.queries.ts'
import { useRenew } from '../../components/use-renew.ts'

const route = getRouteApi('/shell/flags/$flagKey')

/** All tenants by id. Makes no request without `tenant:read`. */
const useTenants = () =>
  useQuery({
    queryKey: ['tenants', 'all'],
    queryFn: ({ signal }) => client.tenants.list({ signal }),
    enabled: useMe().can('tenant:read'),
  })

export const Overrides = ({ flag }: { flag: Flag }) => {
  const { t } = useTranslation()
  const canManage = useMe().can('flag:manage')
  return (
    <SectionCard title={t('flags.overrides')} hint={t('flags.overridesHint')}>
      <Stack gap="sm">
        <List flag={flag} canManage={canManage} />
        {canManage && <AddOverride flag={flag} />}
      </Stack>
    </SectionCard>
  )
}

const List = ({ flag, canManage }: { flag: Flag; canManage: boolean }) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const rows = useOverrides(flag.key, search)
  const onPage = usePageChange()
  if (!rows.data) {
    return rows.error ? <ErrorPanel error={rows.error} onRetry={() => void rows.refetch()} /> : null
  }
  const { items, total } = rows.data
  return (
    <>
      {items.map((one) => (
        <OverrideLine key={one.tenant_id} flag={flag} override={one} canManage={canManage} />
      ))}
      {total === 0 && (
        <Text size="sm" c="dimmed">
          {t('flags.noOverrides')}
        </Text>
      )}
      {total > 20 && <TablePager rows={rows} page={search} onPage={onPage} />}
    </>
  )
}

interface OverrideLineProps {
  flag: Flag
  override: FlagOverride
  canManage: boolean
}

const OverrideLine = ({ flag, override: { tenant_id: id, variant }, canManage }: OverrideLineProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const name = useTenants().data?.find((one) => one.id === id)?.name ?? id
  const removing = useMutation({
    mutationFn: () => client.flags.tenants.delete(flag.key, id),
    onSuccess: async () => {
      notify(t('flags.overrideRemoved', { name }))
      await renew()
    },
  })
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" className="breakable" miw={0}>
          {t('flags.overrideOf', { name, variant })}
        </Text>
        {canManage && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('flags.removeOverride', { name })}
            loading={removing.isPending}
            onClick={() => removing.mutate()}
          >
            {t('flags.remove')}
          </Button>
        )}
      </Group>
      {removing.error && <ErrorPanel error={removing.error} />}
    </>
  )
}

const AddOverride = ({ flag: { key, variants } }: { flag: Flag }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const names = Object.keys(variants)
  const [tenantId, setTenantId] = useState<string | null>(null)
  const [chosen, setVariant] = useState('')
  const variant = names.includes(chosen) ? chosen : (names[0] ?? '')
  const { data: tenants = [] } = useTenants()
  const adding = useMutation({
    mutationFn: (id: string) => client.flags.tenants.put(key, id, variant),
    onSuccess: async () => {
      notify(t('flags.overrideAdded'))
      await renew()
    },
  })
  return (
    <>
      <Group align="flex-end" gap="xs">
        <LazySelect
          flex="2 1 12rem"
          label={t('flags.tenant')}
          placeholder={t('flags.chooseTenant')}
          data={tenants.map(({ id, name }) => ({ value: id, label: name }))}
          limit={100}
          value={tenantId}
          onChange={setTenantId}
        />
        {tenantId !== null && (
          <>
            <NativeSelect
              flex="1 1 8rem"
              label={t('flags.variant')}
              data={names}
              value={variant}
              onChange={({ currentTarget }) => setVariant(currentTarget.value)}
            />
            <Button variant="default" loading={adding.isPending} onClick={() => adding.mutate(tenantId)}>
              {t('flags.addOverride')}
            </Button>
          </>
        )}
      </Group>
      {adding.error && <ErrorPanel error={adding.error} />}
    </>
  )
}
