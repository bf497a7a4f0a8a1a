import { Box, Button, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Key } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { HelpLink } from '../../components/help-link.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { pageOf } from '../../components/page-search.ts'
import { usePageChange } from '../../components/use-page-change.ts'
import { useMe } from '../../session/me.ts'
import { useKeyColumns } from './key-columns.tsx'
import { isExpired } from './key-expiry.ts'
import { RevokeKey } from './revoke-key.tsx'
import { useKeys } from './service-accounts.queries.ts'

const CreateKeyDialog = lazyPart(async () => (await import('./create-key-dialog.views.tsx')).CreateKeyDialog)

const route = getRouteApi('/shell/service-accounts/$accountId')

/** Valid keys before expired ones, each with the newest first. */
const inOrder = (keys: Key[]): Key[] =>
  keys.toSorted((one, other) => Number(isExpired(one)) - Number(isExpired(other)) || other.id - one.id)

interface AccountKeysProps {
  accountId: number
  canChange: boolean
}

export const AccountKeys = ({ accountId, canChange }: AccountKeysProps) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const mayChange = useMe().can('service_account:update') && canChange
  const keys = useKeys(accountId)
  const [revoked, setRevoked] = useState<Key>()
  const columns = useKeyColumns(mayChange ? setRevoked : undefined)
  return (
    <Box component="section">
      <DataTable
        label={t('serviceAccounts.keys')}
        name="keys"
        columns={columns}
        rows={{ ...keys, data: keys.data && pageOf(inOrder(keys.data), search) }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        onPage={usePageChange()}
        toolbar={
          <>
            <Title order={2} size="h4">
              {t('serviceAccounts.keys')}
            </Title>
            {mayChange && <CreateKey accountId={accountId} />}
          </>
        }
        empty={{
          title: t('serviceAccounts.noKeys'),
          description: t('serviceAccounts.noKeysText'),
          action: <HelpLink to="service accounts" />,
        }}
      />
      {revoked && <RevokeKey accountId={accountId} revoked={revoked} onClose={() => setRevoked(undefined)} />}
    </Box>
  )
}

const CreateKey = ({ accountId }: { accountId: number }) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" onClick={() => setOpen(true)}>
        {t('serviceAccounts.createKey')}
      </Button>
      {isOpen && <CreateKeyDialog accountId={accountId} onClose={() => setOpen(false)} />}
    </>
  )
}
