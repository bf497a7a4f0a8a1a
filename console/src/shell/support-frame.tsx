import { UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mayLeave } from '../components/unsaved-work.ts'
import { endSupport } from '../session/client.ts'
import { leaveSupport, type SupportNow } from '../session/support.ts'
import { useTranslation } from '../translation.ts'

const tickMs = 10_000

/** The whole minutes that are left. At the end, gives the tab back. */
const useMinutesLeft = (endsAt: number): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const ticks = setInterval(() => setNow(Date.now()), tickMs)
    const end = setTimeout(() => void leaveSupport(), Math.max(0, endsAt - Date.now()))
    return () => {
      clearInterval(ticks)
      clearTimeout(end)
    }
  }, [endsAt])
  return Math.max(1, Math.round((endsAt - now) / 60_000))
}

/** A frame around every page of a support session: as whom the person works, for how long, and the end. */
export const SupportFrame = ({ now: { kind, user, endsAt } }: { now: SupportNow }) => {
  const { t, gap } = useTranslation()
  const minutes = useMinutesLeft(endsAt)
  const ending = useMutation({
    mutationFn: async () => {
      if (await mayLeave()) await endSupport()
    },
  })
  return (
    <div className="elsewhere support-bar" role="status">
      <span>
        <b>{t('supportFrame.worksAs', { user })}</b>
        {gap}
        {t(kind === 'act' ? 'supportFrame.act' : 'supportFrame.view')}
        {gap}
        {t('supportFrame.left', { count: minutes })}
      </span>
      <UnstyledButton disabled={ending.isPending} onClick={() => ending.mutate()}>
        {t('supportFrame.end')}
      </UnstyledButton>
    </div>
  )
}
