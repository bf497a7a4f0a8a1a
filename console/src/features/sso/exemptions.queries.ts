import { useMutation, useQuery } from '@tanstack/react-query'
import { useScope } from '../../session/scope.ts'
import { useRenewSso } from './sso.queries.ts'

/** The break-glass users; at most 3. */
export const useExemptions = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'exemptions'],
    queryFn: ({ signal }) => api.sso.exemptions({ signal }),
  })
}

export const usePutExemption = (onDone: () => void) => {
  const { api } = useScope()
  const renew = useRenewSso()
  return useMutation({
    mutationFn: ({ id, exempt }: { id: number; exempt: boolean }) => api.sso.putExemption(id, { exempt }),
    onSuccess: async () => {
      onDone()
      await renew()
    },
  })
}
