import { useTranslation } from 'react-i18next'
import { LeaveQuestion } from './leave-question.tsx'

/** Asks before the page is left while work is under way: what has begun is finished, and the rest never done. */
export const LeaveWork = ({ isRunning }: { isRunning: boolean }) => {
  const { t } = useTranslation()
  return (
    <LeaveQuestion isHeld={isRunning} title={t('common.stopTitle')} confirm={t('common.stopAndLeave')}>
      {t('common.stopText')}
    </LeaveQuestion>
  )
}
