import type { ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Message } from './kit.tsx'

interface DeadLinkProps {
  /** Says why the link may be dead. */
  text: string
  /** The way on. */
  children: ReactNode
}

export const DeadLink = ({ text, children }: DeadLinkProps) => {
  const { t } = useTranslation()
  return (
    <>
      <Message kind="warning">
        <b>{t('recovery.dead')}</b>
        <span>{text}</span>
      </Message>
      {children}
    </>
  )
}
