import { useEffect, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Button } from './kit.tsx'
import type { StepProps } from './step.ts'

const everyMs = 10_000

interface VerifyEmailProps extends Pick<StepProps, 'interaction'> {
  /** Asks for the present step. */
  load: () => Promise<void>
}

/** The person opens the mailed link in another tab; this page notices. */
export const VerifyEmail = ({ interaction, load }: VerifyEmailProps) => {
  const { t } = useTranslation()
  const [hasAsked, setAsked] = useState(false)
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void load()
    }
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [load])
  const ask = async (): Promise<void> => {
    setAsked(false)
    await load()
    setAsked(true)
  }
  return (
    <>
      <p>{t('hosted.verifyText', { email: interaction.account })}</p>
      <p className="dimmed" role="status">
        {t(hasAsked ? 'hosted.verifyNotYet' : 'hosted.verifyHint')}
      </p>
      <Button className="primary" onClick={() => void ask()}>
        {t('hosted.verifyDone')}
      </Button>
    </>
  )
}
