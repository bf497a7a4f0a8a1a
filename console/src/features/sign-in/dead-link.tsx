import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { EntryMessage } from './entry-message.tsx'

interface DeadLinkProps {
  /** The page that leads on, and its name on the button. */
  to: '/' | '/forgot-password' | '/profile' | '/sign-up'
  way: string
  /** Says why the link may be dead. */
  children: string
}

export const DeadLink = ({ to, way, children }: DeadLinkProps) => {
  const { t } = useTranslation()
  return (
    <>
      <EntryMessage color="yellow" title={t('recovery.dead')}>
        {children}
      </EntryMessage>
      <Button component={Link} to={to}>
        {way}
      </Button>
    </>
  )
}
