import { Modal, type ModalProps } from '@mantine/core'

/** Without `returnFocus`, because `Dialog` returns the focus itself. */
export const DialogWindow = (props: ModalProps) => <Modal centered returnFocus={false} {...props} />
