import type { TSchema } from 'typebox'
import type { Check } from '../as-code.ts'
import { compileValidator, type InvalidInput } from '../http/validation.ts'

/** Checks a file's content like the body of a request. */
export const checkBy =
  (schema: TSchema): Check =>
  (value) => {
    const validate = compileValidator({ schema, method: 'POST', url: '', httpPart: 'body' })
    const { error } = validate(value) as { error?: InvalidInput }
    return error?.fields.map(({ field, message }) => `${field} ${message}`) ?? []
  }

const unchanged = ['nothing to change']

/** The lines to print for a plan. `differs` is false for an empty plan. */
export const planned = (lines: string[]) =>
  lines.length === 0 ? { lines: unchanged, differs: false } : { lines, differs: true }

/** The lines to print after an apply. */
export const applied = (lines: string[]): string[] =>
  lines.length === 0 ? unchanged : [...lines, `applied ${lines.length} changes`]
