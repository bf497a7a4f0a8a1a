import { skipToken, useQuery } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { runEach } from '../../components/use-bulk.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { Existing } from './drafts.ts'

/** The service's largest page. */
const pageSize = 200
const atOnce = 3

type List = ReturnType<typeof useScope>['api']['users']['list']

/** Reads all users of the tenant, or searches for each address, whichever takes fewer requests. */
const readUsers = async (list: List, emails: string[], signal: AbortSignal): Promise<User[]> => {
  const first = await list({ page_size: pageSize }, { signal })
  const pages = Math.ceil(first.total / pageSize)
  const found: User[] = []
  const options = { atOnce, signal, onSettled: () => {} }
  if (first.isCapped || pages > emails.length) {
    const search = async (email: string) => {
      found.push(...(await list({ search: email, page_size: 5 }, { signal })).items)
    }
    await runEach(emails, search, options)
    return found
  }
  const read = async (page: number) => {
    found.push(...(await list({ page, page_size: pageSize }, { signal })).items)
  }
  await runEach(
    Array.from({ length: pages - 1 }, (_, index) => index + 2),
    read,
    options,
  )
  return [...first.items, ...found]
}

/**
 * The users that the tenant had before the import, so that their rows are marked before they are sent. Needs
 * `user:read`. Requested once per file: users that the import creates must not appear.
 */
export const useExisting = (emails: string[]) => {
  const { api, tenantId } = useScope()
  const isAsked = useMe().can('user:read') && emails.length > 0
  return useQuery({
    queryKey: ['users', tenantId, 'existing', emails],
    queryFn: isAsked
      ? async ({ signal }): Promise<Existing> => {
          const users = await readUsers(api.users.list, emails, signal)
          return {
            emails: new Set(users.map(({ email }) => email.toLowerCase())),
            usernames: new Set(users.map(({ username }) => username.toLowerCase())),
          }
        }
      : skipToken,
    enabled: ({ state }) => state.data === undefined,
    gcTime: 0,
  })
}
