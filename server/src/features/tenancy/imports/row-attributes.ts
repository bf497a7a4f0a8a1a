/** The attributes of rows. */
import { AppError } from '../../../errors/app-error.ts'
import type { Capacity } from '../../configuration/attributes/attribute-access.service.ts'
import { requireSize, requireWritable, type Declared } from '../../configuration/attributes/values.service.ts'
import type { ImportResult } from './imports.schemas.ts'
import { refusal, refusalOf, type Sheet, type UndecidedRow } from './sheet.ts'

/** The keys of attributes that rows have. */
export const keysIn = ({ wanted }: Sheet): string[] => [
  ...new Set(wanted.flatMap(({ row }) => Object.keys(row.attributes ?? {}))),
]

/** Refuses a row with attributes that the caller may not write, or whose declarations refuse a value. */
export const refuseAttributes = (
  { row: { attributes } }: UndecidedRow,
  declared: Declared,
  capacity: Capacity | undefined,
): ImportResult | undefined => {
  if (attributes === undefined) return undefined
  if (capacity === undefined) {
    return refusal('permissionMissing', 'This needs the permission user:update', 'attributes')
  }
  try {
    requireWritable(declared, capacity, attributes)
    requireSize(attributes)
    return undefined
  } catch (err) {
    if (err instanceof AppError) return refusalOf(err, 'attributes')
    throw err
  }
}
