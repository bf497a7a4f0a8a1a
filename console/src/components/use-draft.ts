import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { draftPrefix } from '../session/drafts.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'

/**
 * Keeps a form's typed text during a reload of the tab. Closing the form removes the text. Do not use it for forms with
 * a password.
 */
export const useDraft = <Values extends Record<string, unknown>>(
  name: string,
  form: UseFormReturnType<Values>,
): void => {
  const { user } = useMe()
  const key = `${draftPrefix}${user.id} ${useScope().tenantId} ${name}`
  const restore = useEffectEvent(() => {
    const draft = sessionStorage.getItem(key)
    if (draft !== null) form.setValues(JSON.parse(draft) as Partial<Values>)
  })
  useEffect(() => {
    restore()
    // A reload runs no clean-up, so the draft stays.
    return () => sessionStorage.removeItem(key)
  }, [key])
  const { values } = form
  const isDirty = form.isDirty()
  useEffect(() => {
    if (isDirty) sessionStorage.setItem(key, JSON.stringify(values))
  }, [key, values, isDirty])
}
