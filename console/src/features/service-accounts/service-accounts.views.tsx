import { Text } from '@mantine/core'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useCallers } from '../users/users.queries.ts'

/** The name of a user or a service account, with a link to its page if the caller may see that. */
export const CallerLink = ({ id, size = 'sm' }: { id: number; size?: 'xs' | 'sm' }) => {
  const { can } = useMe()
  const { name, isAccount } = useCallers([id])(id)
  if (isAccount) {
    return (
      <TextLink to="/service-accounts/$accountId" params={{ accountId: String(id) }} size={size}>
        {name}
      </TextLink>
    )
  }
  if (!can('user:read')) {
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
