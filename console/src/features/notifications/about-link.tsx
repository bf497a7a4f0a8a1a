import type { PermissionCode, ReceivedNotification } from '@tenantry/client'
import type { ReactNode } from 'react'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { formOf, limits } from '../settings/settings.queries.ts'

interface Place {
  /** The permission of the page. A reviewer needs none. */
  needs?: PermissionCode
  link: (id: string, text: string) => ReactNode
}

/** The page of each kind of resource that a notice is about. */
const places: Record<string, Place> = {
  connection: {
    needs: 'sso:read',
    link: (connectionId, text) => (
      <TextLink to="/connections/$connectionId" params={{ connectionId }}>
        {text}
      </TextLink>
    ),
  },
  provider: {
    needs: 'provider:read',
    link: (providerId, text) => (
      <TextLink to="/providers/$providerId" params={{ providerId }}>
        {text}
      </TextLink>
    ),
  },
  review: {
    link: (reviewId, text) => (
      <TextLink to="/reviews/$reviewId" params={{ reviewId }}>
        {text}
      </TextLink>
    ),
  },
  service_account: {
    needs: 'service_account:read',
    link: (accountId, text) => (
      <TextLink to="/service-accounts/$accountId" params={{ accountId }}>
        {text}
      </TextLink>
    ),
  },
  tenant: {
    needs: 'setting:read',
    link: (_id, text) => (
      <TextLink to="/settings" search={formOf(limits.key) ?? {}}>
        {text}
      </TextLink>
    ),
  },
  user: {
    needs: 'user:read',
    link: (userId, text) => (
      <TextLink to="/users/$userId" params={{ userId }}>
        {text}
      </TextLink>
    ),
  },
  webhook: {
    needs: 'webhook:read',
    link: (webhookId, text) => (
      <TextLink to="/webhooks/$webhookId" params={{ webhookId }}>
        {text}
      </TextLink>
    ),
  },
}

/** Leads to the resource of a notice, where the console is in the tenant of the notice. */
export const AboutLink = ({ item }: { item: ReceivedNotification }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { tenantId } = useScope()
  const { about, tenant_id: home } = item
  const place = about && places[about.resource]
  if (!place || tenantId !== home || (place.needs && !can(place.needs))) return null
  return place.link(about.id, t('notifications.details'))
}
