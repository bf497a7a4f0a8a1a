import { useState } from 'react'
import { useTranslation } from '../translation.ts'
import { Frame } from './frame.tsx'
import { Notice } from './kit.tsx'

interface Answer {
  /** As the authorization names it; "" for a code. */
  error: string
  description: string
}

/** Takes the answer out of the address, with its code, which nobody uses. */
const takeAnswer = (): Answer | undefined => {
  const params = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  if (!params.has('code') && !params.has('error')) return undefined
  return { error: params.get('error') ?? '', description: params.get('error_description') ?? '' }
}

/** The end of a test sign-in from the console, in place of the application. */
export const Outcome = () => {
  const { t } = useTranslation()
  const [answer] = useState(takeAnswer)
  const isGood = answer?.error === ''
  return (
    <Frame title={t(isGood ? 'hosted.tested' : 'hosted.testFailed')} takesFocus={false}>
      {answer === undefined && <p>{t('hosted.testNothing')}</p>}
      {isGood && <Notice kind="good">{t('hosted.testGood')}</Notice>}
      {answer && !isGood && (
        <Notice kind="bad">
          <b>{answer.error}</b>
          <span>{answer.description}</span>
        </Notice>
      )}
      <p className="dimmed">{t('hosted.testClose')}</p>
    </Frame>
  )
}
