import type { UseFormReturnType } from '@mantine/form'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from '../translation.ts'
import { useErrorText } from './error-text.ts'
import { showFieldErrors } from './form-errors.ts'

type Input = HTMLInputElement | HTMLTextAreaElement

const inputsOf = (form: HTMLFormElement): Input[] =>
  [...form.elements].filter((one) => one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement)

/**
 * The faults that the browser finds. Forms are `noValidate`, because the browser's messages have another language and
 * style.
 */
const useFaultsIn = () => {
  const { t } = useTranslation()
  const faultOf = ({ validity, type }: Input): string => {
    if (validity.typeMismatch) return t('fieldFaults.email')
    return t(type === 'email' ? 'fieldFaults.emailMissing' : 'fieldFaults.missing')
  }
  return (form: HTMLFormElement): Record<string, string> =>
    Object.fromEntries(
      inputsOf(form)
        .filter(({ validity, dataset }) => !validity.valid && dataset['path'] !== undefined)
        .map((input) => [input.dataset['path'] ?? '', faultOf(input)]),
    )
}

/** Sends a form, one request at a time. Errors of fields appear beside the fields; `error` holds any other error. */
export const useSubmit = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<void>,
) => {
  const textOf = useErrorText()
  const faultsIn = useFaultsIn()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()

  const submit = async (values: Values): Promise<void> => {
    setSending(true)
    setError(undefined)
    try {
      await send(values)
    } catch (err) {
      if (!showFieldErrors(form, err, textOf)) setError(err)
    } finally {
      setSending(false)
    }
  }

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const faults = { ...faultsIn(event.currentTarget), ...form.validate().errors }
    if (Object.keys(faults).length === 0) return void submit(form.getValues())
    form.setErrors(faults)
    inputsOf(event.currentTarget)
      .find(({ dataset: { path = '' } }) => Object.hasOwn(faults, path))
      ?.focus()
  }

  return { onSubmit, isSending, error }
}
