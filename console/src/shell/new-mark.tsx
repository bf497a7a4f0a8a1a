import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from '../translation.ts'

/** Marks the menu after an upgrade. */
export const NewMark = () => {
  const { t } = useTranslation()
  return (
    <span className="new-mark">
      <VisuallyHidden>{t('shell.new')}</VisuallyHidden>
    </span>
  )
}
