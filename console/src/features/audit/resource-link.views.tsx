import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { tenantQuery } from '../../shell/tenants.ts'
import { usePermissions, useRoles } from '../roles/roles.queries.ts'
import { CallerLink } from '../service-accounts/service-accounts.views.tsx'
import { formOf } from '../settings/settings.queries.ts'
import { useCallers } from '../users/users.queries.ts'
import { useWebhooks } from '../webhooks/webhooks.queries.ts'
import type { NamedLog } from './actors.texts.ts'
import { resourceNameOf, useAuditTexts } from './audit.texts.ts'

type LinkedRecord = Pick<NamedLog, 'action' | 'detail' | 'resource' | 'resource_id'>

interface LinkProps {
  record: LinkedRecord
}

const callerOf = (record: LinkedRecord) => <UserLink record={record} />
const accountOf = (record: LinkedRecord) => <AccountLink record={record} />
const roleOf = (record: LinkedRecord) => <RoleLink record={record} />

/** The link of each kind of resource that has a page. */
const links: Partial<Record<string, (record: LinkedRecord) => ReactNode>> = {
  account: callerOf,
  auth: callerOf,
  permission: (record) => <PermissionLink record={record} />,
  role: roleOf,
  role_template: roleOf,
  service_account: accountOf,
  service_account_key: accountOf,
  setting: ({ resource_id }) => <SettingLink name={resource_id} />,
  tenant: (record) => <TenantLink record={record} />,
  user: callerOf,
  webhook: (record) => <WebhookLink record={record} />,
}

export const ResourceLink = ({ record }: LinkProps) =>
  links[record.resource]?.(record) ?? <Plain record={record} />

/** The name at the time of the record. An older record has only the id. */
const Plain = ({ record }: LinkProps) => {
  const { ofResource } = useAuditTexts()
  return (
    <Text size="sm" className="whole">
      {ofResource(record.resource)} {resourceNameOf(record) ?? record.resource_id}
    </Text>
  )
}

/** A template is a role of every tenant. A deleted role has no page. */
const RoleLink = ({ record }: LinkProps) => {
  const role = useRoles().data?.find((one) => String(one.id) === record.resource_id)
  if (!role) return <Plain record={record} />
  return (
    <TextLink to="/roles/$roleId" params={{ roleId: String(role.id) }} size="sm" className="whole">
      {role.name}
    </TextLink>
  )
}

/** A user who cannot be read, such as a deleted one, has no page. */
const UserLink = ({ record }: LinkProps) => {
  const id = Number(record.resource_id)
  return useCallers([id])(id).isKnown ? <CallerLink id={id} /> : <Plain record={record} />
}

const PermissionLink = ({ record }: LinkProps) => {
  const { can } = useMe()
  const permission = usePermissions().data?.find((one) => String(one.id) === record.resource_id)
  if (!permission) return <Plain record={record} />
  if (!can('catalogue:manage')) return permission.name
  return (
    <TextLink to="/catalogue" search={{ search: permission.code }} size="sm" className="whole">
      {permission.name}
    </TextLink>
  )
}

const TenantLink = ({ record }: LinkProps) => {
  const id = record.resource_id
  const { data: tenant } = useQuery({ ...tenantQuery(id), enabled: useMe().can('tenant:read') })
  if (!tenant) return <Plain record={record} />
  return (
    <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} size="sm" className="whole">
      {tenant.name}
    </TextLink>
  )
}

const SettingLink = ({ name }: { name: string }) => {
  const { can } = useMe()
  if (!can('setting:read')) return name
  return (
    <TextLink to="/settings" search={formOf(name) ?? { search: name }} size="sm">
      {name}
    </TextLink>
  )
}

/** The record has only the origin of the URL. A deleted webhook has no page. */
const WebhookLink = ({ record }: LinkProps) => {
  const id = record.resource_id
  const exists = useWebhooks().data?.some((one) => String(one.id) === id)
  if (!exists) return <Plain record={record} />
  return (
    <TextLink to="/webhooks/$webhookId" params={{ webhookId: id }} size="sm" className="whole">
      {resourceNameOf(record) ?? id}
    </TextLink>
  )
}

/** The detail of a key's record names its account. A deleted account has no page. */
const AccountLink = ({ record }: LinkProps) => {
  const { resource, resource_id, detail } = record
  const { account_id: change } = detail as { account_id?: { from: number | null; to: number | null } }
  const id = resource === 'service_account' ? Number(resource_id) : Number(change?.to ?? change?.from)
  const { isAccount } = useCallers([id])(id)
  return isAccount ? <CallerLink id={id} /> : <Plain record={record} />
}
