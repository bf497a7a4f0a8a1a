import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditLog } from '@tenantry/client'
import { TextLink } from '../../components/text-link.tsx'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useUserNames } from '../users/user-names.ts'
import { useRoles } from '../users/user-queries.ts'
import { useAuditTexts } from './audit-texts.ts'

/** What a record is about, with a way to its page where there is one. */
export const ResourceLink = ({ record: { resource, resource_id } }: { record: AuditLog }) => {
  if (resource === 'user' || resource === 'auth') return <UserLink id={Number(resource_id)} />
  if (resource === 'setting') return <SettingLink name={resource_id} />
  if (resource === 'role') return <RoleLink id={Number(resource_id)} />
  if (resource === 'tenant') return <TenantLink id={resource_id} />
  return <Plain resource={resource} id={resource_id} />
}

const Plain = ({ resource, id }: { resource: string; id: number | string }) => {
  const { ofResource } = useAuditTexts()
  return (
    <Text size="sm" className="whole">
      {ofResource(resource)} {id}
    </Text>
  )
}

/** A role that is gone has no page any more. */
const RoleLink = ({ id }: { id: number }) => {
  const role = useRoles().data?.find((one) => one.id === id)
  if (!role) return <Plain resource="role" id={id} />
  return (
    <TextLink to="/roles/$roleId" params={{ roleId: String(id) }} size="sm" className="whole">
      {role.name}
    </TextLink>
  )
}

const TenantLink = ({ id }: { id: string }) => {
  const { data: tenant } = useQuery({
    queryKey: ['tenants', 'one', id],
    queryFn: ({ signal }) => client.tenants.get(id, { signal }),
    enabled: useMe().can('tenant:read'),
  })
  if (!tenant) return <Plain resource="tenant" id={id} />
  return (
    <TextLink to="/tenants" search={{ search: tenant.slug }} size="sm" className="whole">
      {tenant.name}
    </TextLink>
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
