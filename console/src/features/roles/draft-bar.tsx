import { Button, Group, Paper, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { LeaveQuestion } from '../../components/leave-question.tsx'

interface DraftBarProps {
  count: number
  onDiscard: () => void
  /** The window that shows the effect and saves. */
  children: (onClose: () => void) => ReactNode
}

/** Offers to review or discard drafted permissions, always visible. Asks before they are lost. */
export const DraftBar = ({ count, onDiscard, children }: DraftBarProps) => {
  const { t } = useTranslation()
  const [isReviewing, setReviewing] = useState(false)
  return (
    <>
      <LeaveQuestion isUnsaved={count > 0} title={t('roles.leaveTitle')} confirm={t('roles.leave')}>
        {t('roles.drafted', { count })}
      </LeaveQuestion>
      {count > 0 && (
        <Paper withBorder shadow="md" p="sm" className="draft-bar">
          <Text size="sm" fw={500} role="status">
            {t('roles.drafted', { count })}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onDiscard}>
              {t('roles.discard')}
            </Button>
            <Button onClick={() => setReviewing(true)}>{t('roles.review')}</Button>
          </Group>
        </Paper>
      )}
      {isReviewing && children(() => setReviewing(false))}
    </>
  )
}
