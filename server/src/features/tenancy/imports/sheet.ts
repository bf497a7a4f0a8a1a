/** The rows of an import, each with its result or still under way. */
import { errorCodes, type AppError, type ErrorName } from '../../../errors/app-error.ts'
import type { ImportedHash } from '../../../crypto/foreign-hashes.ts'
import type { ImportResult, ImportRow } from './imports.schemas.ts'

/** A row under way, at its place in the request. */
export interface Wanted {
  place: number
  row: ImportRow
  emailFolded: string
  hash: ImportedHash | undefined
}

export interface Sheet {
  results: ImportResult[]
  wanted: Wanted[]
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

/** Gives rows their results; a row without one goes on. */
export const settle = (sheet: Sheet, judge: (wanted: Wanted) => ImportResult | undefined): void => {
  sheet.wanted = sheet.wanted.filter((wanted) => {
    const result = judge(wanted)
    if (result) sheet.results[wanted.place] = result
    return result === undefined
  })
}
