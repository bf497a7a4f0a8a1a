import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { client } from '../../session/client.ts'

/** Changes the caller's own user, and refreshes every page that shows it. */
export const useUpdateProfile = () => {
  const queries = useQueryClient()
  return async (body: Parameters<typeof client.profile.update>[0]): Promise<User> => {
    const user = await client.profile.update(body)
    await Promise.all(['me', 'users'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
    return user
  }
}

/** Saves the caller's picture; '' removes it. */
export const useSavePicture = (onDone: (avatar: string) => void) => {
  const update = useUpdateProfile()
  return useMutation({
    mutationFn: (avatar: string) => update({ avatar }),
    onSuccess: (_, avatar) => onDone(avatar),
  })
}
