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
import { useForm, type UseFormReturnType } from '@mantine/form'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import type { Connection, GroupMapping, Role, UpdateConnection } from '@tenantry/client'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageForm } from '../../components/page-form.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { canAccountHold } from '../service-accounts/service-accounts.queries.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { useAllGroups } from './sso.queries.ts'
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
  /** The role; "" until the user chooses one. */
  role_id: string
}

type Values = { group_mappings: Row[] }

export const rowOf = ({ group, role_id: roleId }: GroupMapping): Row => ({
  key: crypto.randomUUID(),
  group,
  role_id: String(roleId),
})

export const mappingsOf = (rows: Row[]): GroupMapping[] =>
  rows.map(({ group, role_id }) => ({ group: group.trim(), role_id: Number(role_id) }))

const changesOf = ({ group_mappings: rows }: Values): UpdateConnection => ({
  group_mappings: mappingsOf(rows),
})

/** The checks of each row. */
export const useMappingRules = () => {
  const { t } = useTranslation()
  return {
    group: (group: string) => (group.trim() === '' ? t('fieldFaults.missing') : null),
    role_id: (id: string) => (id === '' ? t('fieldFaults.missing') : null),
  }
}

const useMappingForm = (connection: Connection) => {
  const form = useForm<Values>({
    initialValues: { group_mappings: connection.group_mappings.map(rowOf) },
    validate: { group_mappings: useMappingRules() },
  })
  const sending = useConnectionForm(connection, form, changesOf)
  return { form, sending }
}

type MappingForm = Pick<
  UseFormReturnType<Values>,
  'values' | 'getInputProps' | 'insertListItem' | 'removeListItem'
>

export const GroupMappings = ({ connection, canChange }: ConnectionProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { form, sending } = useMappingForm(connection)
  const hasDirectory = connection.scim_account_id !== null
  const rows = form.values.group_mappings
  return (
    <PageForm isDirty={form.isDirty()} sending={sending} maw={900}>
      <SectionCard
        title={t('connections.groups')}
        hint={t(hasDirectory ? 'connections.groupsOfDirectory' : 'connections.groupsOfClaim', {
          claim: connection.groups_claim ?? connection.groups_attribute,
        })}
      >
        <Stack>
          <MappingRows form={form} isLocked={!canChange} hasDirectory={hasDirectory} />
          {canChange && form.isDirty() && (
            <Group>
              <Button type="submit" loading={sending.isSending}>
                {t('common.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </SectionCard>
      <Alert color="gray" title={t('connections.ownRoles')}>
        {t('connections.ownRolesText')}
      </Alert>
      {can('role:read') && (
        <MappingEffect connection={connection} mappings={mappingsOf(rows)} isDirty={form.isDirty()} />
      )}
    </PageForm>
  )
}

interface MappingRowsProps {
  form: MappingForm
  isLocked: boolean
  hasDirectory: boolean
}

export const MappingRows = ({ form, isLocked, hasDirectory }: MappingRowsProps) => {
  const { t } = useTranslation()
  const rows = form.values.group_mappings
  const add = (): void =>
    form.insertListItem('group_mappings', { key: crypto.randomUUID(), group: '', role_id: '' })
  return (
    <Stack>
      {rows.length === 0 && <Text size="sm">{t('connections.noMappings')}</Text>}
      {rows.map((row, at) => (
        <MappingRow key={row.key} {...{ form, at, isLocked, hasDirectory }} />
      ))}
      {!isLocked && (
        <Group>
          <Button variant="default" disabled={rows.length >= mappingsMax} onClick={add}>
            {t('connections.addMapping')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface MappingRowProps extends MappingRowsProps {
  at: number
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

interface MappingEffectProps {
  connection: Connection
  /** The unsaved mappings of the form. */
  mappings: GroupMapping[]
  isDirty: boolean
}

const isSame = (one: GroupMapping, other: GroupMapping): boolean =>
  one.group === other.group && one.role_id === other.role_id

/** Shows the permissions that each mapping gives, the number of its users, and what a change removes. */
const MappingEffect = ({ connection, mappings, isDirty }: MappingEffectProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  const roleOf = (id: number): Role | undefined => roles.find((role) => role.id === id)
  const shown = mappings.filter(({ group, role_id: id }) => group !== '' && roleOf(id))
  const lost = connection.group_mappings.filter((saved) => !mappings.some((one) => isSame(one, saved)))
  if (shown.length === 0 && lost.length === 0) return null
  return (
    <SectionCard title={t('connections.effect')} hint={t('connections.effectHint')}>
      <Stack>
        {isDirty && lost.length > 0 && <Lost connection={connection} lost={lost} roleOf={roleOf} />}
        {shown.map((mapping) => (
          <Gives
            key={`${mapping.role_id} ${mapping.group}`}
            mapping={mapping}
            role={roleOf(mapping.role_id)}
            hasDirectory={connection.scim_account_id !== null}
          />
        ))}
      </Stack>
    </SectionCard>
  )
}

/** The name and the members of a directory's group. Without a directory, the claim's value is the name. */
const useGroupOf = (hasDirectory: boolean) => {
  const { data: groups = [] } = useAllGroups(hasDirectory)
  return (group: string) => groups.find(({ id }) => id === group)
}

interface GivesProps {
  mapping: GroupMapping
  role: Role | undefined
  hasDirectory: boolean
}

const Gives = ({ mapping, role, hasDirectory }: GivesProps) => {
  const { t } = useTranslation()
  const group = useGroupOf(hasDirectory)(mapping.group)
  if (!role) return null
  // A mapping that is older than the directory names a value of the claim, which has no effect any more.
  if (hasDirectory && !group) {
    return (
      <Text size="sm" c="dimmed" className="breakable">
        {t('connections.groupGone', { id: mapping.group })}
      </Text>
    )
  }
  const permissions = role.permissions.map(({ name }) => name).join(', ')
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500} className="breakable">
        {t('connections.gives', { group: group?.display_name ?? mapping.group, role: role.name })}
      </Text>
      {group && (
        <Text size="sm" c="dimmed">
          {t('connections.givesTo', { count: group.members })}
        </Text>
      )}
      <Text size="sm" c="var(--text-good)" className="breakable">
        {permissions === '' ? t('connections.givesNothing') : t('connections.permissions', { permissions })}
      </Text>
    </Stack>
  )
}

interface LostProps {
  connection: Connection
  lost: GroupMapping[]
  roleOf: (id: number) => Role | undefined
}

const Lost = ({ connection, lost, roleOf }: LostProps) => {
  const { t } = useTranslation()
  const hasDirectory = connection.scim_account_id !== null
  const groupOf = useGroupOf(hasDirectory)
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t('connections.losing')}>
      <Stack gap="xs">
        {lost.map(({ group, role_id: id }) => (
          <Text key={`${id} ${group}`} size="sm" className="breakable">
            {t('connections.loses', {
              group: groupOf(group)?.display_name ?? group,
              role: roleOf(id)?.name ?? String(id),
            })}
          </Text>
        ))}
        <Text size="sm">{t(hasDirectory ? 'connections.losesByPush' : 'connections.losesAtSignIn')}</Text>
      </Stack>
    </Alert>
  )
}
