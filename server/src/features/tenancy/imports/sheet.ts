/** The rows of an import: decided rows with their results, and undecided rows. */
import { errorCodes, type AppError, type ErrorName } from '../../../errors/app-error.ts'
import type { ImportedHash } from '../../../crypto/foreign-hashes.ts'
import type { ImportResult, ImportRow } from './imports.schemas.ts'

/** An undecided row. `index` is its position in the request. */
export interface UndecidedRow {
  index: number
  row: ImportRow
  emailFolded: string
  hash: ImportedHash | undefined
}

export interface Sheet {
  results: ImportResult[]
  wanted: UndecidedRow[]
}

export const refusal = (name: ErrorName, message: string, field = ''): ImportResult => ({
  status: 'refused',
  user_id: 0,
  error: { code: errorCodes[name], message, field },
})

export const refusalOf = ({ code, message }: AppError, field = ''): ImportResult => ({
  status: 'refused',
  user_id: 0,
  error: { code, message, field },
})

export const existing = (userId: number): ImportResult => ({ status: 'exists', user_id: userId, error: null })

export const copyOf = ({ results, wanted }: Sheet): Sheet => ({ results: [...results], wanted: [...wanted] })

/** Stores the results that `judge` returns for undecided rows. A row without a result stays undecided. */
export const decide = (sheet: Sheet, judge: (wanted: UndecidedRow) => ImportResult | undefined): void => {
  sheet.wanted = sheet.wanted.filter((wanted) => {
    const result = judge(wanted)
    if (result) sheet.results[wanted.index] = result
    return result === undefined
  })
}
