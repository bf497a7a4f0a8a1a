/** Answers of programs in tests; apart from programs.ts, which runs without a test runner as well. */
import { expect } from 'vitest'
import type { Reply } from './programs.ts'

/** The data of an answer, which has to be 200. */
export const data = ({ status, body }: Reply) => {
  expect([status, body]).toEqual([200, body])
  return body.data
}
