import { UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Elevation } from '@tenantry/client'
import { useEffect } from 'react'
import { useNotify } from '../components/use-notify.ts'
import { useFormat } from '../format.ts'
import { client } from '../session/client.ts'
import { useElevations } from '../session/elevation.ts'
import { useRoleName } from '../system-roles.ts'
import { useTranslation } from '../translation.ts'

/** States, below the header, which role the session has for some minutes, and ends it. */
export const ElevationBar = () => useElevations().map((one) => <Running key={one.id} elevation={one} />)

const Running = ({ elevation }: { elevation: Elevation }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const notify = useNotify()
  const queries = useQueryClient()
  const roleName = useRoleName()
  const { id, role, ends_at: end } = elevation
  const ending = useMutation({
    mutationFn: () => client.roles.endElevation(id),
    onSuccess: async () => {
      notify(t('elevation.ended'))
      await queries.invalidateQueries()
    },
  })
  useEffect(() => {
    const timer = setTimeout(
      () => void queries.invalidateQueries(),
      new Date(end).getTime() - Date.now() + 1000,
    )
    return () => clearTimeout(timer)
  }, [end, queries])
  return (
    <div className="elsewhere">
      <b className="cut">
        {t('elevation.active', { role: roleName(role.name), time: format.timeOrMoment(end) })}
      </b>
      <UnstyledButton disabled={ending.isPending} onClick={() => ending.mutate()}>
        {t('elevation.end')}
      </UnstyledButton>
    </div>
  )
}
