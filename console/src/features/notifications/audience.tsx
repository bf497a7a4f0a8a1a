import { SegmentedControl, Select, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { useMe } from '../../session/me.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useRoles } from '../roles/roles.queries.ts'
import { Recipients, type Recipient } from './recipients.views.tsx'

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
  error: ReactNode
}

export const AudienceFields = ({ audience, onChange, error }: AudienceProps) => {
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
          error={error}
          chosen={audience.users}
          onChange={(users) => onChange({ ...audience, users })}
          label={t('notifications.recipients')}
          openOnFocus={false}
        />
      )}
      {audience.kind === 'role' && (
        <RoleField
          error={error}
          roleId={audience.roleId}
          onChange={(roleId) => onChange({ ...audience, roleId })}
        />
      )}
      {audience.kind === 'everyone' && <Everyone />}
    </Stack>
  )
}

interface RoleFieldProps {
  roleId: number | undefined
  onChange: (roleId: number | undefined) => void
  error: ReactNode
}

const RoleField = ({ roleId, onChange, error }: RoleFieldProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  return (
    <Select
      label={t('places.role')}
      error={error}
      data-path="audience"
      description={t('sendings.roleHint')}
      searchable
      required
      data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={roleId === undefined ? null : String(roleId)}
      onChange={(id) => onChange(Number(id) || undefined)}
    />
  )
}

const Everyone = () => {
  const { t } = useTranslation()
  const { name = '' } = useScopeTenant()
  return <Text size="sm">{t('sendings.everyoneHint', { tenant: name })}</Text>
}
