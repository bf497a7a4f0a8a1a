import { useQuery } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'

/** docs/contract.md: the caller must have signed in by the connection within the last hour before requiring it. */
const freshMs = 3_600_000

/** The connection that opened the caller's session within the last hour. "" if none did, undefined while it loads. */
export const useFreshConnection = (): string | undefined => {
  const { user } = useMe()
  const { data, isError } = useQuery({
    queryKey: ['sessions', 'own', user.id, 'connection'],
    queryFn: async ({ signal }) => {
      const { connectionId = '' } = (await client.auth.session()) ?? {}
      if (connectionId === '') return ''
      const current = (await client.auth.sessions({ signal })).find((one) => one.is_current)
      // The service sets both times: the clock of this machine may be wrong.
      const age = current ? Date.parse(current.last_used_at) - Date.parse(current.created_at) : freshMs
      return age < freshMs ? connectionId : ''
    },
    refetchInterval: 60_000,
  })
  return isError ? '' : data
}
