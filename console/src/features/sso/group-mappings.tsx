import {
  ActionIcon,
  Alert,
  Button,
  Group,
  NativeSelect,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import type { Connection, GroupMapping, UpdateConnection } from '@tenantry/client'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { canAccountHold } from '../service-accounts/service-accounts.queries.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { MappingEffect } from './mapping-effect.tsx'
import { useConnectionForm } from './use-connection-form.ts'

// Lazy, because most tenants have no directory.
const GroupSelect = lazyPart(
  async () => (await import('./group-select.tsx')).GroupSelect,
  <Skeleton height={60} width={200} />,
)

/** docs/contract.md: the service's limit. */
const mappingsMax = 200

interface Row {
  key: string
  group: string
  /** "" while none is chosen. */
  role_id: string
}

type Values = { group_mappings: Row[] }

const rowOf = ({ group, role_id: roleId }: GroupMapping): Row => ({
  key: crypto.randomUUID(),
  group,
  role_id: String(roleId),
})

const mappingsOf = (rows: Row[]): GroupMapping[] =>
  rows.map(({ group, role_id }) => ({ group: group.trim(), role_id: Number(role_id) }))

const changesOf = ({ group_mappings: rows }: Values): UpdateConnection => ({
  group_mappings: mappingsOf(rows),
})

const useMappingForm = (connection: Connection) => {
  const { t } = useTranslation()
  const form = useForm<Values>({
    initialValues: { group_mappings: connection.group_mappings.map(rowOf) },
    validate: {
      group_mappings: {
        group: (group) => (group.trim() === '' ? t('fieldFaults.missing') : null),
        role_id: (id) => (id === '' ? t('fieldFaults.missing') : null),
      },
    },
  })
  const sending = useConnectionForm(connection, form, changesOf)
  return { form, ...sending }
}

type MappingForm = ReturnType<typeof useMappingForm>['form']

export const GroupMappings = ({ connection, canChange }: ConnectionProps) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useMappingForm(connection)
  const hasDirectory = connection.scim_account_id !== null
  const rows = form.values.group_mappings
  return (
    <form noValidate onSubmit={onSubmit}>
      <LeaveQuestion isUnsaved={form.isDirty()} title={t('common.leaveTitle')} confirm={t('common.leave')}>
        {t('common.leaveText')}
      </LeaveQuestion>
      <Stack maw={900}>
        {error !== undefined && <ErrorPanel error={error} />}
        <SectionCard
          title={t('connections.groups')}
          hint={t(hasDirectory ? 'connections.groupsOfDirectory' : 'connections.groupsOfClaim', {
            claim: connection.groups_claim ?? connection.groups_attribute,
          })}
        >
          <Stack>
            {rows.length === 0 && <Text size="sm">{t('connections.noMappings')}</Text>}
            {rows.map((row, at) => (
              <MappingRow
                key={row.key}
                form={form}
                at={at}
                isLocked={!canChange}
                hasDirectory={hasDirectory}
              />
            ))}
            {canChange && <Buttons form={form} isSending={isSending} />}
          </Stack>
        </SectionCard>
        <Alert color="gray" title={t('connections.ownRoles')}>
          {t('connections.ownRolesText')}
        </Alert>
        <MappingEffect connection={connection} mappings={mappingsOf(rows)} isDirty={form.isDirty()} />
      </Stack>
    </form>
  )
}

const Buttons = ({ form, isSending }: { form: MappingForm; isSending: boolean }) => {
  const { t } = useTranslation()
  const add = (): void =>
    form.insertListItem('group_mappings', { key: crypto.randomUUID(), group: '', role_id: '' })
  return (
    <Group>
      <Button variant="default" disabled={form.values.group_mappings.length >= mappingsMax} onClick={add}>
        {t('connections.addMapping')}
      </Button>
      <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
        {t('common.save')}
      </Button>
    </Group>
  )
}

interface MappingRowProps {
  form: MappingForm
  at: number
  isLocked: boolean
  hasDirectory: boolean
}

const MappingRow = ({ form, at, isLocked, hasDirectory }: MappingRowProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const group = form.getInputProps(`group_mappings.${at}.group`)
  const number = at + 1
  return (
    <Group gap="sm" align="flex-start" role="group" aria-label={t('connections.mapping', { number })}>
      {hasDirectory ? (
        <GroupSelect input={group} isLocked={isLocked} />
      ) : (
        <TextInput
          label={t('connections.group')}
          maxLength={256}
          disabled={isLocked}
          autoComplete="off"
          spellCheck={false}
          flex={1}
          miw={200}
          {...group}
        />
      )}
      <NativeSelect
        label={t('connections.role')}
        data={[
          { value: '', label: '–' },
          ...roles.filter(canAccountHold).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        disabled={isLocked}
        flex={1}
        miw={200}
        {...form.getInputProps(`group_mappings.${at}.role_id`)}
      />
      {!isLocked && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          mt={25}
          aria-label={t('connections.removeMapping', { number })}
          onClick={() => form.removeListItem('group_mappings', at)}
        >
          <IconTrash size={18} />
        </ActionIcon>
      )}
    </Group>
  )
}
