import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useErrorText } from './error-text.ts'
import { showFieldErrors } from './form-errors.ts'

/** Sends a form, one request at a time. Errors of fields go beside them; `error` holds any other. */
export const useSubmit = <Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<void>,
) => {
  const textOf = useErrorText()
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

  return { onSubmit: form.onSubmit((values) => void submit(values)), isSending, error }
}
