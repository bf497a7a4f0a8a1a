import { useTranslation } from '../translation.ts'
import { LeaveQuestion } from './leave-question.tsx'

/** Asks before the user leaves a page with running work. Leaving finishes the items under way and drops the rest. */
export const LeaveWork = ({ isRunning }: { isRunning: boolean }) => {
  const { t } = useTranslation()
  return (
    <LeaveQuestion isUnsaved={isRunning} title={t('common.stopTitle')} confirm={t('common.stopAndLeave')}>
      {t('common.stopText')}
    </LeaveQuestion>
  )
}
