/** Answers to refused requests, for `toMatchObject`. */
import { expect } from 'vitest'
import { errorCodes, type ErrorName } from '../src/errors/app-error.ts'

/** The refusal of a request as a whole. */
export const refusal = (name: ErrorName) => ({
  status: Math.floor(errorCodes[name] / 100),
  body: { code: errorCodes[name], data: null },
})

/** The refusal of one field. */
export const refusalOf = (field: string, name: ErrorName = 'invalidInput') => ({
  status: 400,
  body: {
    code: errorCodes[name],
    data: { errors: expect.arrayContaining([expect.objectContaining({ field })]) },
  },
})

/** How many answers have each status: `{ 200: 1, 409: 9 }`. */
export const tally = (answers: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
