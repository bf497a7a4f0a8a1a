import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Connection, GroupMapping, Role } from '@tenantry/client'
import { SectionCard } from '../../components/section-card.tsx'
import { useTranslation } from '../../translation.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { useAllGroups } from './directory.queries.ts'

interface MappingEffectProps {
  connection: Connection
  /** The unsaved mappings of the form. */
  mappings: GroupMapping[]
  isDirty: boolean
}

const isSame = (one: GroupMapping, other: GroupMapping): boolean =>
  one.group === other.group && one.role_id === other.role_id

/** Shows the permissions that each mapping gives, the number of its users, and the losses of a change. */
export const MappingEffect = ({ connection, mappings, isDirty }: MappingEffectProps) => {
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

/** The name and the members of a directory group. Without a directory, the value of the claim is the name. */
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
  // A mapping from before the directory names a value of the claim, which no longer counts.
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
