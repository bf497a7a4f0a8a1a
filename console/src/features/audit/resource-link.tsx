import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AuditLog } from '@tenantry/client'
import type { ReactNode } from 'react'
import { TextLink } from '../../components/text-link.tsx'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { usePermissions, useRoles } from '../roles/roles.queries.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { useCallers } from '../users/users.queries.ts'
import { useAuditTexts } from './audit.texts.ts'

const numbered = ({ resource_id }: AuditLog): number => Number(resource_id)
const callerOf = (record: AuditLog) => <CallerLink id={numbered(record)} />
const accountOf = (record: AuditLog) => <AccountLink record={record} />
const roleOf = (record: AuditLog) => <RoleLink resource={record.resource} id={numbered(record)} />

/** The link of each kind of resource that has a page. */
const links: Partial<Record<string, (record: AuditLog) => ReactNode>> = {
  auth: callerOf,
  permission: (record) => <PermissionLink id={numbered(record)} />,
  role: roleOf,
  role_template: roleOf,
  service_account: accountOf,
  service_account_key: accountOf,
  setting: ({ resource_id }) => <SettingLink name={resource_id} />,
  tenant: ({ resource_id }) => <TenantLink id={resource_id} />,
  user: callerOf,
}

/** Names the resource of a record, with a link if it has a page. */
export const ResourceLink = ({ record }: { record: AuditLog }) =>
  links[record.resource]?.(record) ?? <Plain resource={record.resource} id={record.resource_id} />

const Plain = ({ resource, id }: { resource: string; id: number | string }) => {
  const { ofResource } = useAuditTexts()
  return (
    <Text size="sm" className="whole">
      {ofResource(resource)} {id}
    </Text>
  )
}

/** A template is a role of every tenant. A deleted role has no page. */
const RoleLink = ({ resource, id }: { resource: string; id: number }) => {
  const role = useRoles().data?.find((one) => one.id === id)
  if (!role) return <Plain resource={resource} id={id} />
  return (
    <TextLink to="/roles/$roleId" params={{ roleId: String(id) }} size="sm" className="whole">
      {role.name}
    </TextLink>
  )
}

const PermissionLink = ({ id }: { id: number }) => {
  const { can } = useMe()
  const permission = usePermissions().data?.find((one) => one.id === id)
  if (!permission) return <Plain resource="permission" id={id} />
  if (!can('catalogue:manage')) return permission.name
  return (
    <TextLink to="/catalogue" search={{ search: permission.code }} size="sm" className="whole">
      {permission.name}
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

/** The record of a key has its account in the detail. A deleted account has no page. */
const AccountLink = ({ record: { resource, resource_id, detail } }: { record: AuditLog }) => {
  const { account_id: change } = detail as { account_id?: { from: number | null; to: number | null } }
  const id = resource === 'service_account' ? Number(resource_id) : Number(change?.to ?? change?.from)
  const { isAccount } = useCallers([id])(id)
  return isAccount ? <CallerLink id={id} /> : <Plain resource={resource} id={resource_id} />
}
