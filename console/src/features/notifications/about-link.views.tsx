import type { PermissionCode, ReceivedNotification } from '@tenantry/client'
import type { ReactNode } from 'react'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { formOf, limits } from '../settings/settings.queries.ts'

interface Look {
  size?: 'sm'
  onClick?: () => void
  'aria-describedby'?: string
  children: string
}

interface Place {
  /** The permission of the page. A reviewer needs none. */
  needs?: PermissionCode
  link: (id: string, look: Look) => ReactNode
}

/** The page of each kind of resource that a notice is about. */
const places: Record<string, Place> = {
  connection: {
    needs: 'sso:read',
    link: (connectionId, look) => (
      <TextLink to="/connections/$connectionId" params={{ connectionId }} {...look} />
    ),
  },
  provider: {
    needs: 'provider:read',
    link: (providerId, look) => <TextLink to="/providers/$providerId" params={{ providerId }} {...look} />,
  },
  review: {
    link: (reviewId, look) => <TextLink to="/reviews/$reviewId" params={{ reviewId }} {...look} />,
  },
  service_account: {
    needs: 'service_account:read',
    link: (accountId, look) => (
      <TextLink to="/service-accounts/$accountId" params={{ accountId }} {...look} />
    ),
  },
  tenant: {
    needs: 'setting:read',
    link: (_id, look) => <TextLink to="/settings" search={formOf(limits.key) ?? {}} {...look} />,
  },
  user: {
    needs: 'user:read',
    link: (userId, look) => <TextLink to="/users/$userId" params={{ userId }} {...look} />,
  },
  webhook: {
    needs: 'webhook:read',
    link: (webhookId, look) => <TextLink to="/webhooks/$webhookId" params={{ webhookId }} {...look} />,
  },
}

interface AboutLinkProps extends Omit<Look, 'children'> {
  item: ReceivedNotification
}

/** Leads to the resource of a notice, where the console is in the tenant of the notice. */
export const AboutLink = ({ item, ...look }: AboutLinkProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { tenantId } = useScope()
  const { about, tenant_id: home } = item
  const place = about && places[about.resource]
  if (!place || tenantId !== home || (place.needs && !can(place.needs))) return null
  return place.link(about.id, { ...look, children: t('notifications.details') })
}
