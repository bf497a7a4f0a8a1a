import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/** Says at the corner that something is done. What went wrong stays where it was tried, as an `ErrorPanel`. */
export const useNotify = () => {
  const { t } = useTranslation()
  return (message: string): void => {
    notifications.show({ color: 'teal', message, closeButtonProps: { 'aria-label': t('common.close') } })
  }
}
