import { SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../session/me.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { Recipients, type Recipient } from './recipients.tsx'

export interface Audience {
  kind: 'one' | 'role' | 'everyone'
  users: Recipient[]
  roleId: number | undefined
}

export const nobodyYet: Audience = { kind: 'one', users: [], roleId: undefined }

export const isAddressed = ({ kind, users, roleId }: Audience): boolean =>
  kind === 'everyone' || (kind === 'role' ? roleId !== undefined : users.length > 0)

interface AudienceProps {
  audience: Audience
  onChange: (audience: Audience) => void
}

/** Chooses some users, the holders of a role, or everyone in the tenant. */
export const AudienceFields = ({ audience, onChange }: AudienceProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const kinds = can('role:read') ? (['one', 'role', 'everyone'] as const) : (['one', 'everyone'] as const)
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('sendings.to')}
        value={audience.kind}
        data={kinds.map((kind) => ({ value: kind, label: t(`sendings.${kind}`) }))}
        onChange={(kind) => onChange({ ...audience, kind })}
      />
      {audience.kind === 'one' && (
        <Recipients
          chosen={audience.users}
          onChange={(users) => onChange({ ...audience, users })}
          label={t('notifications.recipients')}
        />
      )}
      {audience.kind === 'role' && <RoleField audience={audience} onChange={onChange} />}
      {audience.kind === 'everyone' && <Everyone />}
    </Stack>
  )
}

const RoleField = ({ audience, onChange }: AudienceProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  return (
    <Select
      label={t('places.role')}
      description={t('sendings.roleHint')}
      searchable
      required
      data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={audience.roleId === undefined ? null : String(audience.roleId)}
      onChange={(id) => onChange({ ...audience, roleId: Number(id) || undefined })}
    />
  )
}

const Everyone = () => {
  const { t } = useTranslation()
  const { name = '' } = useScopeTenant()
  return <Text size="sm">{t('sendings.everyoneHint', { tenant: name })}</Text>
}
