import { Text } from '@mantine/core'
import type { AuditLog } from '@tenantry/client'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useUserNames } from '../users/user-names.ts'
import { useAuditTexts } from './audit-texts.ts'

/** What a record is about, with a way to its page where there is one. */
export const ResourceLink = ({ record: { resource, resource_id } }: { record: AuditLog }) => {
  const { ofResource } = useAuditTexts()
  if (resource === 'user' || resource === 'auth') return <UserLink id={Number(resource_id)} />
  if (resource === 'setting') return <SettingLink name={resource_id} />
  return (
    <Text size="sm" className="whole">
      {ofResource(resource)} {resource_id}
    </Text>
  )
}

const SettingLink = ({ name }: { name: string }) => {
  const { can } = useMe()
  if (!can('setting:read')) return name
  return (
    <TextLink to="/settings" search={{ search: name }} size="sm">
      {name}
    </TextLink>
  )
}

const UserLink = ({ id }: { id: number }) => {
  const { can } = useMe()
  const name = useUserNames([id])(id)
  if (!can('user:read')) return name
  return (
    <TextLink to="/users/$userId" params={{ userId: String(id) }} size="sm">
      {name}
    </TextLink>
  )
}
