import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A window over the page, with a name for the button that closes it. */
export const Dialog = (props: ModalProps) => {
  const { t } = useTranslation()
  return <Modal centered closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />
}
