import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../translation.ts'
import { Dialog, Refused, type DialogProps } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { useLeaveQuestion, type Question } from './leave-question.tsx'
import type { useSubmit } from './use-submit.ts'

interface FormDialogProps extends Omit<DialogProps, 'opened' | 'children'> {
  isDirty: boolean
  /** A question that replaces the one about typed text. */
  question?: Question | false | undefined
  /** A function as child gets another function, which closes the window as its own button does. */
  children?: ReactNode | ((close: () => void) => ReactNode)
}

/** A window with a form. Asks before typed text is lost, except when the form's own buttons close the window. */
export const FormDialog = ({ isDirty, question, onClose, children, ...props }: FormDialogProps) => {
  const { ask, element } = useLeaveQuestion({ isUnsaved: isDirty, isWindow: true, ...question })
  const close = async (): Promise<void> => {
    if (!isDirty || (await ask())) onClose()
  }
  return (
    <>
      <Dialog opened onClose={() => void close()} closeOnClickOutside={!isDirty} {...props}>
        {typeof children === 'function' ? children(() => void close()) : children}
      </Dialog>
      {element}
    </>
  )
}

interface DialogFormProps {
  sending: ReturnType<typeof useSubmit>
  submit: string
  /** The colour of the button `submit`. */
  color?: string | undefined
  /** False disables the button `submit`. */
  isReady?: boolean
  /** The reason why the service would refuse the form. It replaces the form. */
  refusal?: ReactNode
  onCancel: () => void
  children: ReactNode
}

/** The content of a window with a form: the error, the fields, and the buttons. */
export const DialogForm = ({
  sending,
  submit,
  color,
  isReady = true,
  refusal,
  onCancel,
  children,
}: DialogFormProps) => {
  const { t } = useTranslation()
  const { onSubmit, isSending, error } = sending
  if (refusal !== undefined) return <Refused onClose={onCancel}>{refusal}</Refused>
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {error !== undefined && <ErrorPanel error={error} isOfForm />}
        {children}
        <Group justify="flex-end" className="dialog-actions">
          <Button variant="default" disabled={isSending} onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" {...(color && { color })} loading={isSending} disabled={!isReady}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface FieldsDialogProps
  extends
    Omit<FormDialogProps, 'isDirty' | 'isPending' | 'children' | 'color'>,
    Omit<DialogFormProps, 'onCancel'> {
  form: { isDirty: () => boolean }
}

/** A window that contains only a form. `children` are its fields. */
export const FieldsDialog = (props: FieldsDialogProps) => {
  const { form, sending, submit, color, isReady = form.isDirty(), refusal, children, ...window } = props
  return (
    <FormDialog isDirty={form.isDirty()} isPending={sending.isSending} {...window}>
      <DialogForm {...{ sending, submit, color, isReady, refusal }} onCancel={window.onClose}>
        {children}
      </DialogForm>
    </FormDialog>
  )
}
