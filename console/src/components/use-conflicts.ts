import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'

type Texts = Record<string, string>

const differing = <Values extends Texts>(one: Values, other: Values): (keyof Values & string)[] =>
  Object.keys(one).filter((field) => one[field] !== other[field])

/**
 * Copies new values from the service into a form. A field with typed text keeps its text, and becomes a conflict with
 * the value that another user has saved.
 */
export const useConflicts = <Values extends Texts>(form: UseFormReturnType<Values>, present: Values) => {
  const [seen, setSeen] = useState(present)
  const [theirs, setTheirs] = useState<Partial<Values>>({})
  const changed = differing(present, seen)
  if (changed.length > 0) {
    setSeen(present)
    const typed = Object.fromEntries(Object.entries(form.values).filter(([field]) => form.isDirty(field)))
    const met = changed.filter((field) => field in typed && typed[field] !== present[field])
    setTheirs({ ...theirs, ...Object.fromEntries(met.map((field) => [field, present[field]])) })
    form.resetDirty(present)
    form.setValues({ ...present, ...typed })
  }
  const settle = (field: keyof Values & string, value: string | undefined): void => {
    setTheirs(
      Object.fromEntries(Object.entries(theirs).filter(([name]) => name !== field)) as Partial<Values>,
    )
    if (value !== undefined) form.setValues({ [field]: value } as Partial<Values>)
  }
  return {
    conflicts: Object.entries(theirs as Texts).map(([field, value]) => ({
      field,
      theirs: value,
      mine: form.values[field] ?? '',
    })),
    takeTheirs: (field: string): void => settle(field, theirs[field]),
    keepMine: (field: string): void => settle(field, undefined),
  }
}

export type Conflicts = ReturnType<typeof useConflicts>
