import { Skeleton } from '@mantine/core'
import type { User } from '@tenantry/client'
import { lazyPart } from '../../components/lazy-part.tsx'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useConnections } from './sso.queries.ts'

const Unlink = lazyPart(
  async () => (await loadPage(['sso'], () => import('./unlink.tsx'))()).Unlink,
  <Skeleton height={30} />,
)

/** Unlinks a user, where the tenant has a provider and the caller decides about it. */
export const UnlinkUser = ({ user }: { user: User }) => {
  const { can } = useMe()
  const isAllowed = can('sso:manage') && can('sso:read')
  const { data } = useConnections(isAllowed)
  return isAllowed && data && data.length > 0 && <Unlink user={user} />
}
