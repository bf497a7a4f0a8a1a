/** Audit records of attributes, in the personal export of a user. */
import { isReadable } from './attribute-access.service.ts'
import { recordedName, withheldName, type Declared } from './values.service.ts'

interface WithDetail {
  detail: Record<string, unknown>
}

/** Leaves out of records about a user what `self` does not let the user read. */
export async function* withoutUnreadable<Row extends WithDetail>(
  declared: Declared,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<Row[]> {
  const isShown = (field: string): boolean => {
    if (field === withheldName) return false
    if (!field.startsWith(recordedName(''))) return true
    const attribute = declared.get(field.slice(recordedName('').length))
    return attribute !== undefined && isReadable(attribute, 'self')
  }
  for await (const rows of batches) {
    yield rows.map((row) => ({
      ...row,
      detail: Object.fromEntries(Object.entries(row.detail).filter(([field]) => isShown(field))),
    }))
  }
}
