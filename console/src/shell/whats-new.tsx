import { VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { version } from '../../package.json'
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

/** The version whose news the user has seen. On the first visit, all news count as seen. */
export const useWhatsNew = () => {
  const [seen, setSeen] = useLocalStorage({
    key: 'tenantry.seen',
    defaultValue: version,
    getInitialValueInEffect: false,
  })
  return { isUnseen: seen !== version, see: () => setSeen(version) }
}
