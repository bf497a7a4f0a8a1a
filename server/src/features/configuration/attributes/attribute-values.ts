/** Single values of attributes: their sizes, and the form that filters compare. */
import { createHash } from 'node:crypto'
import { fold } from '../../../values/text.ts'
import type { StoredAttribute } from './attributes.sql.ts'

export const valueBytesMax = 4096
/** Of all values of one user or tenant. */
export const bytesMax = 16_384

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Longer texts are compared by their hash, because an entry of an index is short. */
const foldedMax = 256

/** The value as filters compare it: texts without case. */
export const foldedOf = (value: unknown): string => {
  const text = typeof value === 'string' ? fold(value) : JSON.stringify(value)
  return Buffer.byteLength(text) <= foldedMax ? text : createHash('sha256').update(text).digest('hex')
}

/** The value that the text of a filter means. Undefined for a text that is no value of the attribute's type. */
export const valueOfText = ({ schema }: Pick<StoredAttribute, 'schema'>, text: string): unknown => {
  if (schema.type === 'string') return text
  if (schema.type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined)
  const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  const isFine = schema.type === 'integer' ? Number.isInteger(number) : Number.isFinite(number)
  return isFine ? number : undefined
}
