import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import { formats } from './formats.ts'

const ajv = new Ajv2020({ formats, keywords: ['x-trim'] })

/** A check of values that no route validates. It changes nothing. Compiled with its first use. */
export const checkOf = <Schema extends TSchema>(schema: Schema) => {
  let validate: ValidateFunction | undefined
  return (value: unknown): value is Static<Schema> => (validate ??= ajv.compile(schema))(value)
}
