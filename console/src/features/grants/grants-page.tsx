import { Button, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Grant } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import type { Column } from '../../components/table-model.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useScopeNames } from '../../shown-scopes.ts'
import { useTranslation } from '../../translation.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { useGrants } from './grants.queries.ts'
import { momentColumn } from '../../components/cells.tsx'

const route = getRouteApi('/shell/grants')

const Application = ({ of: { application } }: { of: Grant }) => (
  <Stack gap={0}>
    <Text size="sm" fw={500} className="cut" title={application.name}>
      {application.name}
    </Text>
    <Text size="xs" c="dimmed" className="cut" title={application.host}>
      {application.host}
    </Text>
  </Stack>
)

const Scopes = ({ of: { scopes, resource } }: { of: Grant }) => (
  <Stack gap={0}>
    <Text size="sm" className="breakable" title={scopes.join(' ')}>
      {useScopeNames()(scopes)}
    </Text>
    {resource !== '' && (
      <Text size="xs" c="dimmed" className="breakable">
        {resource}
      </Text>
    )}
  </Stack>
)

const useColumns = (onRevoke: ((grant: Grant) => void) | undefined): Column<Grant>[] => {
  const { t } = useTranslation()
  const revoke: Column<Grant> = {
    key: 'actions',
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    cell: (grant) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('grants.revokeOne', { name: grant.application.name })}
        onClick={() => onRevoke?.(grant)}
      >
        {t('grants.revoke')}
      </Button>
    ),
  }
  return [
    {
      key: 'application',
      header: t('grants.application'),
      isFixed: true,
      cell: (one) => <Application of={one} />,
    },
    { key: 'user', width: 12, header: t('grants.user'), cell: ({ user_id: id }) => <CallerLink id={id} /> },
    { key: 'scopes', header: t('grants.scopes'), cell: (one) => <Scopes of={one} /> },
    momentColumn('used', t('grants.lastUsed'), ({ last_used_at: at }) => at),
    momentColumn('created', t('grants.createdAt'), ({ created_at: at }) => at),
    ...(onRevoke ? [revoke] : []),
  ]
}

/** The consents of a tenant's users to third-party applications. */
export const GrantsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const mayRevoke = useMe().can('grant:revoke')
  const [asked, setAsked] = useState<Grant>()
  return (
    <>
      <PageHeader title={t('places.grants')} description={t('grants.about')} />
      <DataTable
        label={t('places.grants')}
        name="grants"
        columns={useColumns(mayRevoke ? setAsked : undefined)}
        rows={useGrants(search)}
        idOf={({ id }) => id}
        nameOf={({ application }) => application.name}
        page={search}
        empty={{ title: t('grants.none'), description: t('grants.noneText') }}
      />
      {asked && <RevokeGrant grant={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface RevokeGrantProps {
  grant: Grant
  onClose: () => void
}

const RevokeGrant = ({ grant, onClose }: RevokeGrantProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { name } = grant.application
  return (
    <ConfirmChange
      title={t('grants.revokeTitle', { name })}
      confirm={t('grants.revoke')}
      send={() => api.grants.revoke(grant.id)}
      onClose={onClose}
      done={t('grants.revoked', { name })}
    >
      {t('grants.revokeText')}
    </ConfirmChange>
  )
}
