import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from '../translation.ts'

/** Tells that an upgrade has brought something new. */
export const NewMark = () => {
  const { t } = useTranslation()
  return (
    <span className="new-mark">
      <VisuallyHidden>{t('shell.new')}</VisuallyHidden>
    </span>
  )
}
