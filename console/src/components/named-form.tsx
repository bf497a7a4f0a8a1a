import { Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { useForm, type GetInputPropsReturnType } from '@mantine/form'
import { useTranslation } from '../translation.ts'
import { useFieldChecks } from './field-checks.ts'
import { FieldsDialog } from './form-dialog.tsx'
import { useDraft } from './use-draft.ts'
import { useSubmit } from './use-submit.ts'

interface NameAndDescription {
  name: string
  description: string
}

interface NamedFormProps {
  title: string
  submit: string
  initial?: NameAndDescription
  /** Keeps the button open: an empty form says what is missing, and a suggestion can be sent unchanged. */
  isNew?: boolean
  send: (values: NameAndDescription) => Promise<void>
  onClose: () => void
}

/** A window with a form for name and description, used for roles, templates and permissions. */
export const NamedForm = ({
  title,
  submit,
  initial,
  isNew = initial === undefined,
  send,
  onClose,
}: NamedFormProps) => {
  const { name = '', description = '' } = initial ?? {}
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { name, description },
    validate: { name: check('roleName'), description: check('description') },
  })
  useDraft(title, form)
  const sending = useSubmit(form, send)
  return (
    <FieldsDialog {...{ form, sending, submit, title, onClose }} isReady={isNew || form.isDirty()}>
      <NamedFields inputOf={form.getInputProps} />
    </FieldsDialog>
  )
}

interface NamedFieldsProps {
  inputOf: (field: keyof NameAndDescription) => GetInputPropsReturnType
}

export const NamedFields = ({ inputOf }: NamedFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <NameInput {...inputOf('name')} />
      <Textarea label={t('fields.description')} autosize minRows={2} {...inputOf('description')} />
    </>
  )
}

/** The first field of a form. */
export const NameInput = (props: TextInputProps) => {
  const { t } = useTranslation()
  return <TextInput label={t('fields.name')} required data-autofocus autoComplete="off" {...props} />
}
