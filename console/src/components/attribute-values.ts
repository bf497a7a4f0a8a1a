/** Attributes on the pages of the console and of the own account. */
import type { Attribute } from '@tenantry/client'
import type { Language } from '../translation.ts'
import type { FormSchema } from './form-schema.ts'

export type AttributeValues = Record<string, unknown>

export const labelOf = ({ label, key }: Attribute, language: Language): string =>
  label[language] ?? label.en ?? label.zh ?? key

/** The schema for its input. A choice also distinguishes false from no value. */
export const inputSchemaOf = ({ schema, description }: Attribute): FormSchema => {
  const { title: _, ...shown } = schema as FormSchema
  return {
    ...shown,
    ...(shown.type === 'boolean' && { enum: [true, false] }),
    ...(description !== '' && { description }),
  }
}

/** The value as one line, for a cell. */
export const lineOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** The typed values that differ, as the service takes them: null deletes a value. */
export const changesOf = (values: AttributeValues, typed: AttributeValues): AttributeValues =>
  Object.fromEntries(
    Object.entries(typed)
      .map(([key, value]): [string, unknown] => [key, isEmpty(value) ? null : value])
      .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(values[key] ?? null)),
  )
