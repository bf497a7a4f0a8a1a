import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser'

export interface JsonProblem {
  /** As `jsonErrors` names it. */
  code: string
  /** From 1. */
  line: number
  column: number
}

export type ReadJson = { value: unknown; bytes: number } | { problem: JsonProblem }

/** Of values as the service counts them: JSON without spaces, as UTF-8. */
export const valueBytesMax = 65_536

const problemOf = (text: string): JsonProblem => {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch {
    // Nested so deeply that no parser gets to its end.
  }
  const { error, offset } = errors[0] ?? { error: 4, offset: 0 }
  const before = text.slice(0, offset).split('\n')
  return {
    code: printParseErrorCode(error),
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
  }
}

/** The value of a JSON text, or what is wrong with it and where, which browsers tell each in their own way or not at all. */
export const readJson = (text: string): ReadJson => {
  try {
    const value: unknown = JSON.parse(text)
    return { value, bytes: new TextEncoder().encode(JSON.stringify(value)).length }
  } catch {
    return { problem: problemOf(text) }
  }
}
