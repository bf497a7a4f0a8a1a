import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'

const prefix = 'tenantry.draft '

/** Removes all drafts of this tab: another person may sign in next. */
export const forgetDrafts = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

/**
 * Keeps the typed text of a form during a reload of the tab. Closing the form removes it. Not for forms with a
 * password.
 */
export const useDraft = <Values extends Record<string, unknown>>(
  name: string,
  form: UseFormReturnType<Values>,
): void => {
  const { user } = useMe()
  const key = `${prefix}${user.id} ${useScope().tenantId} ${name}`
  const restore = useEffectEvent(() => {
    const draft = sessionStorage.getItem(key)
    if (draft !== null) form.setValues(JSON.parse(draft) as Partial<Values>)
  })
  useEffect(() => {
    restore()
    // A reload runs no clean-up, so the draft survives it.
    return () => sessionStorage.removeItem(key)
  }, [key])
  const { values } = form
  const isDirty = form.isDirty()
  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(values))
  }, [key, values, isDirty])
}
