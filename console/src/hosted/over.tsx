import { useTranslation } from '../translation.ts'
import { Frame } from './frame.tsx'
import type { Home } from './home.ts'

interface OverProps {
  home: Home | undefined
  takesFocus: boolean
}

/** The sign-in is over, or began in another browser. */
export const Over = ({ home, takesFocus }: OverProps) => {
  const { t } = useTranslation()
  return (
    <Frame title={t('hosted.over')} takesFocus={takesFocus}>
      <p>{t('hosted.overText')}</p>
      {home && home.url !== '' && (
        <a href={home.url} className="button primary">
          {t('hosted.toApplication', { name: home.name })}
        </a>
      )}
    </Frame>
  )
}
