import { useTranslation } from '../translation.ts'
import { Dialog, type DialogProps } from './dialog.tsx'
import { useLeaveQuestion } from './leave-question.tsx'

interface FormDialogProps extends Omit<DialogProps, 'opened'> {
  isDirty: boolean
}

/** A window with a form. Asks before typed text is lost, unless the form's own buttons close the window. */
export const FormDialog = ({ isDirty, onClose, ...props }: FormDialogProps) => {
  const { t } = useTranslation()
  const { ask, element } = useLeaveQuestion({
    isUnsaved: isDirty,
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
