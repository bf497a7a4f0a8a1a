import { Text } from '@mantine/core'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useActorName } from '../audit/audit.queries.ts'
import { useCallers } from '../users/users.queries.ts'

/** The name of a user or a service account, with a link to its page if the caller may see that. */
export const CallerLink = ({ id, size = 'sm' }: { id: number; size?: 'xs' | 'sm' }) => {
  const { can } = useMe()
  const name = useActorName(id)
  const { isAccount, isAbsent } = useCallers([id])(id)
  if (isAccount) {
    return (
      <TextLink to="/service-accounts/$accountId" params={{ accountId: String(id) }} size={size}>
        {name}
      </TextLink>
    )
  }
  // A deleted user, or an administrator from another tenant, has no page here.
  if (isAbsent || !can('user:read')) {
    return (
      <Text span size={size}>
        {name}
      </Text>
    )
  }
  return (
    <TextLink to="/users/$userId" params={{ userId: String(id) }} size={size}>
      {name}
    </TextLink>
  )
}
