/** Answers of programs in tests; apart from programs.ts, which runs without a test runner as well. */
import { expect } from 'vitest'
import type { Answer } from '../../lab/client.ts'

/** The data of an answer, which has to be 200. */
export const data = ({ status, body }: Pick<Answer, 'status' | 'body'>) => {
  expect([status, body]).toEqual([200, body])
  return body.data
}
