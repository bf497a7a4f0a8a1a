import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import type { Connection } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { CopyLine } from '../../components/copy-line.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { loadPage } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { useCallers } from '../users/users.queries.ts'
import { useUpdateConnection } from './connection-actions.tsx'
import type { ConnectionProps } from './connection-page.tsx'
import { DirectoryChoice } from './directory-choice.tsx'
import { DirectoryGroups } from './directory-groups.tsx'
import { GuideButton } from './guide-button.tsx'
import { providerOf } from './provider-of.ts'
import { useConnections } from './sso.queries.ts'

const CreateKeyDialog = lazyPart(
  async () =>
    (await loadPage(['developers'], () => import('../service-accounts/create-key.views.tsx'))())
      .CreateKeyDialog,
)

/** The directory that pushes users and groups by SCIM. */
export const Directory = (props: ConnectionProps) => {
  const { t } = useTranslation()
  const { connection, canChange } = props
  const { data: connections = [] } = useConnections()
  const other = connections.find((one) => one.id !== connection.id && one.scim_account_id !== null)
  return (
    <Stack maw={900}>
      <SectionCard title={t('connections.directory')} hint={t('connections.directoryHint')}>
        {connection.scim_account_id === null ? (
          <Absent connection={connection} other={other} canChange={canChange} />
        ) : (
          <Present connection={connection} accountId={connection.scim_account_id} canChange={canChange} />
        )}
      </SectionCard>
      {connection.scim_account_id !== null && <DirectoryGroups />}
    </Stack>
  )
}

interface AbsentProps {
  connection: Connection
  /** The connection that already has the tenant's directory. */
  other: Connection | undefined
  canChange: boolean
}

const Absent = ({ connection, other, canChange }: AbsentProps) => {
  const { t } = useTranslation()
  if (other) return <Text size="sm">{t('connections.directoryElsewhere', { name: other.name })}</Text>
  return (
    <Stack>
      <Text size="sm">{t('connections.noDirectory')}</Text>
      {canChange && (
        <>
          <Alert color="gray" title={t('connections.directoryEffect')}>
            <List size="sm" spacing={4}>
              <List.Item>{t('connections.directoryJit')}</List.Item>
              <List.Item>{t('connections.directoryGroupIds')}</List.Item>
              <List.Item>{t('connections.directoryLeavers')}</List.Item>
            </List>
          </Alert>
          <DirectoryChoice connection={connection} />
        </>
      )}
    </Stack>
  )
}

interface PresentProps {
  connection: Connection
  accountId: number
  canChange: boolean
}

/** The base address has the same host as the callback. */
const baseOf = ({ callback_url: url }: Connection): string => new URL('/scim/v2', url).href

const Present = ({ connection, accountId, canChange }: PresentProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [isCreating, setCreating] = useState(false)
  const { name } = useCallers([accountId])(accountId)
  return (
    <Stack>
      <Group gap={6}>
        <Text size="sm">{t('connections.directoryAccount')}</Text>
        {can('service_account:read') ? (
          <TextLink to="/service-accounts/$accountId" params={{ accountId: String(accountId) }} size="sm">
            {name}
          </TextLink>
        ) : (
          <Text size="sm">{name}</Text>
        )}
      </Group>
      <CopyLine
        label={t('connections.baseUrl')}
        text={baseOf(connection)}
        copy={t('connections.copyBaseUrl')}
      />
      <Text size="sm">{t('connections.directoryKey')}</Text>
      <GuideButton provider={providerOf(connection)} part="scim" />
      {canChange && (
        <Group>
          {can('service_account:update') && (
            <Button onClick={() => setCreating(true)}>{t('connections.createKey')}</Button>
          )}
          <RemoveDirectory connection={connection} />
        </Group>
      )}
      {isCreating && <CreateKeyDialog accountId={accountId} onClose={() => setCreating(false)} />}
    </Stack>
  )
}

const RemoveDirectory = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [isAsked, setAsked] = useState(false)
  const removing = useUpdateConnection(connection, () => {
    setAsked(false)
    notify(t('connections.directoryRemoved'))
  })
  return (
    <>
      <Button color="red" variant="light" onClick={() => setAsked(true)}>
        {t('connections.removeDirectory')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('connections.removeDirectoryOne', { name: connection.name })}
        confirm={t('connections.removeDirectory')}
        {...mutationProps(removing, { scim_account_id: null })}
      >
        {t('connections.removeDirectoryText')}
      </ConfirmModal>
    </>
  )
}
