import { Box } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useDialogs } from '../../components/use-dialogs.ts'
import { useNotify } from '../../components/use-notify.ts'
import { useRenew } from '../../components/use-renew.ts'
import { client } from '../../session/client.ts'
import { tenantQuery } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import type { TenantAction } from './tenant-menu.tsx'

const loadDialogs = () => import('./tenant-dialogs.tsx')
const dialogs = {
  edit: lazyPart(async () => (await loadDialogs()).EditTenant),
  disable: lazyPart(async () => (await loadDialogs()).DisableTenant),
  delete: lazyPart(async () => (await loadDialogs()).DeleteTenant),
}

/** Enabling removes nothing, so it runs without a question and offers Undo. */
const useEnable = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { put, renew } = useTenantCache()
  const show = (tenant: Tenant): void => {
    put(tenant)
    renew()
  }
  const undo = useMutation({
    mutationFn: ({ id }: Tenant) => client.tenants.update(id, { status: 0 }),
    onSuccess: (tenant) => {
      show(tenant)
      notify(t('tenants.isDisabled', { name: tenant.name }))
    },
  })
  const enable = useMutation({
    mutationFn: ({ id }: Tenant) => client.tenants.update(id, { status: 1 }),
    onSuccess: (tenant) => {
      show(tenant)
      notify(t('tenants.isEnabled', { name: tenant.name }), {
        label: t('common.undo'),
        run: () => undo.mutate(tenant),
      })
    },
  })
  return { enable: enable.mutate, error: enable.error ?? undo.error }
}

/** Runs an action on a tenant, with its window and its error. */
export const useTenantActions = () => {
  const { open, opened } = useDialogs<keyof typeof dialogs, { tenant: Tenant }>(dialogs)
  const { enable, error } = useEnable()
  return {
    act: ({ kind, tenant }: TenantAction): void =>
      kind === 'enable' ? enable(tenant) : open(kind, { tenant }),
    error: error && (
      <Box mb="sm">
        <ErrorPanel error={error} />
      </Box>
    ),
    dialog: opened,
  }
}

interface Listed {
  items: Tenant[]
}

/**
 * Updates lists and names after a change of tenants. A long list of tenants loads slowly, so the answer of the change
 * enters the cache at once. `renew` runs in the background.
 */
export const useTenantCache = () => {
  const queries = useQueryClient()
  const renew = useRenew()
  const change = (of: (tenants: Tenant[]) => Tenant[]): void => {
    for (const list of ['page', 'found']) {
      queries.setQueriesData<Listed>(
        { queryKey: ['tenants', list] },
        (page) => page && { ...page, items: of(page.items) },
      )
    }
  }
  return {
    put: (tenant: Tenant): void => {
      change((tenants) => tenants.map((one) => (one.id === tenant.id ? tenant : one)))
      queries.setQueryData(tenantQuery(tenant.id).queryKey, tenant)
    },
    drop: ({ id }: Tenant): void => {
      change((tenants) => tenants.filter((one) => one.id !== id))
      queries.removeQueries({ queryKey: tenantQuery(id).queryKey })
    },
    renew: (): void => void renew(),
  }
}
