import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Forgot } from './forgot.tsx'
import { LinkButton, Notice } from './kit.tsx'

/** A reset by e-mail proves the mailbox, and then the link is enough. */
export const Unproved = ({ email }: { email: string }) => {
  const { t } = useTranslation()
  const [isForgotten, setForgotten] = useState(false)
  if (isForgotten) return <Forgot account={email} />
  return (
    <>
      <Notice kind="warning">{t('errors.accountUnowned')}</Notice>
      <p className="center">
        <LinkButton onClick={() => setForgotten(true)}>{t('signIn.reset')}</LinkButton>
      </p>
    </>
  )
}
