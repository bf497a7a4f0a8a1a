import type { AuthOptions } from '@tenantry/client'
import { useEffect, useState, type SyntheticEvent } from 'react'
import { useErrorText } from '../components/error-text.ts'
import { usePasswordHint } from '../components/password-hint.ts'
import { faultOf } from '../components/field-checks.ts'
import { showFieldErrors } from '../components/form-errors.ts'
import { useTranslation } from '../translation.ts'
import { send } from './send.ts'

type Values = Record<string, string>

type Check = Parameters<typeof faultOf>[0]

/** The rules of fields, by name. */
type Checks = Partial<Record<string, Check>>

const faultIn = ({ value, required }: HTMLInputElement, check: Check | undefined) => {
  if (value.trim() === '') return required ? 'fieldFaults.missing' : undefined
  return check === undefined ? undefined : faultOf(check, value)
}

const isField = (one: Element): one is HTMLInputElement => one instanceof HTMLInputElement && one.name !== ''

const fieldsOf = (form: HTMLFormElement): HTMLInputElement[] => [...form.elements].filter(isField)

/** Sends a form, one request at a time. Errors of fields appear beside the fields; `error` holds any other error. */
export const useForm = (submit: (values: Values) => Promise<void>, checks: Checks = {}) => {
  const { t } = useTranslation()
  const textOf = useErrorText()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const [faults, setFaults] = useState<Values>({})

  const findFaults = (form: HTMLFormElement): Values =>
    Object.fromEntries(
      fieldsOf(form).flatMap((field) => {
        const fault = faultIn(field, checks[field.name])
        return fault === undefined ? [] : [[field.name, t(fault)]]
      }),
    )

  const run = async (form: HTMLFormElement, values: Values): Promise<void> => {
    setSending(true)
    try {
      await submit(values)
    } catch (err) {
      const shown: Values = {}
      const like = { getValues: () => values, setErrors: (found: Values) => Object.assign(shown, found) }
      if (!showFieldErrors(like, err, textOf)) setError(err)
      mark(form, shown)
    } finally {
      setSending(false)
    }
  }

  const mark = (form: HTMLFormElement, found: Values): void => {
    setFaults(found)
    fieldsOf(form)
      .find(({ name }) => Object.hasOwn(found, name))
      ?.focus()
  }

  const onSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    const values = Object.fromEntries(fieldsOf(form).map(({ name, value }) => [name, value]))
    const found = findFaults(form)
    setError(undefined)
    mark(form, found)
    if (Object.keys(found).length === 0) void run(form, values)
  }

  return { onSubmit, isSending, error, faults }
}

/** Runs the action of a button, and keeps its error. */
export const useAct = <Args extends unknown[]>(act: (...args: Args) => Promise<void>) => {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const run = async (...args: Args): Promise<void> => {
    setSending(true)
    setError(undefined)
    try {
      await act(...args)
    } catch (err) {
      setError(err)
    } finally {
      setSending(false)
    }
  }
  return { isSending, error, run: (...args: Args) => void run(...args) }
}

/** Reads once, when the component is mounted. */
export const useRead = <T>(read: () => Promise<T>) => {
  const [data, setData] = useState<T>()
  const { error, run } = useAct(async () => setData(await read()))
  // oxlint-disable-next-line react/exhaustive-deps -- another address loads the document anew
  useEffect(run, [])
  return { data, error, retry: run }
}

/**
 * How people of this installation can get an account, with the rules for passwords of a tenant. Undefined before the
 * answer, and after a failure.
 */
export const useOptions = (tenant = ''): AuthOptions | undefined =>
  useRead(() => send<AuthOptions>('GET', `/api/v1/auth/options?tenant=${encodeURIComponent(tenant)}`)).data

/** The rules for a new password in a tenant, as a hint. Without a tenant, those of the installation. */
export const useNewPasswordHint = (tenant?: string): string =>
  usePasswordHint()(useOptions(tenant)?.passwords)
