import { Modal, type ModalProps } from '@mantine/core'

/** `Dialog` returns the focus. */
export const DialogWindow = (props: ModalProps) => <Modal centered returnFocus={false} {...props} />
