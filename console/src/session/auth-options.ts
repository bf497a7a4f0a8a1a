import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'

/** The ways to an account that the installation has. */
export const useAuthOptions = () =>
  useQuery({ queryKey: ['auth-options'], queryFn: ({ signal }) => client.auth.options({ signal }) })
