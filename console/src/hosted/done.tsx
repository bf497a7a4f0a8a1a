import type { Interaction } from '@tenantry/client'
import { useEffect } from 'react'
import { useTranslation } from '../translation.ts'
import { Notice } from './kit.tsx'

interface DoneProps {
  interaction: Interaction
  isRefused: boolean
}

/** Leads to the application. The link is for browsers that ask before they open a program. */
export const Done = ({ interaction, isRefused }: DoneProps) => {
  const { t } = useTranslation()
  const { redirect_to: to, application } = interaction
  useEffect(() => {
    if (to !== '') location.replace(to)
  }, [to])
  if (to === '') {
    return (
      <Notice kind={isRefused ? 'warning' : 'good'}>
        {t(isRefused ? 'hosted.deviceRefused' : 'hosted.deviceDone')}
      </Notice>
    )
  }
  return (
    <>
      <p className="dimmed">{t('hosted.going', { name: application.name })}</p>
      <a href={to} className="button">
        {t('hosted.goNow')}
      </a>
    </>
  )
}
