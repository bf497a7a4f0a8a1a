import { useTranslation } from 'react-i18next'
import { Dialog, type DialogProps } from './dialog.tsx'
import { useLeaveQuestion } from './leave-question.tsx'

interface FormDialogProps extends Omit<DialogProps, 'opened'> {
  /** Whether something was typed that would be lost. */
  isDirty: boolean
}

/** A window with a form. What was typed in it goes by its own buttons alone: any other way asks before. */
export const FormDialog = ({ isDirty, onClose, ...props }: FormDialogProps) => {
  const { t } = useTranslation()
  const { ask, element } = useLeaveQuestion({
    isHeld: isDirty,
    isWindow: true,
    title: t('common.leaveTitle'),
    confirm: t('common.leave'),
    children: t('common.leaveText'),
  })
  const close = async (): Promise<void> => {
    if (!isDirty || (await ask())) onClose()
  }
  return (
    <>
      <Dialog opened onClose={() => void close()} closeOnClickOutside={!isDirty} {...props} />
      {element}
    </>
  )
}
