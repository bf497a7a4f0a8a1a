import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser'

export interface JsonProblem {
  /** A key of `jsonErrors`. */
  code: string
  /** Counts from 1. */
  line: number
  column: number
}

export type ReadJson = { value: unknown; bytes: number } | { problem: JsonProblem }

/** The service's limit for values: JSON without spaces, in UTF-8. */
export const valueBytesMax = 65_536

const problemOf = (text: string): JsonProblem => {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch {
    // The text is nested too deeply for the parser.
  }
  const { error, offset } = errors[0] ?? { error: 4, offset: 0 }
  const before = text.slice(0, offset).split('\n')
  return {
    code: printParseErrorCode(error),
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
  }
}

/** Parses a JSON text, or returns its error with the position. Browsers report positions differently or not at all. */
export const readJson = (text: string): ReadJson => {
  try {
    const value: unknown = JSON.parse(text)
    return { value, bytes: new TextEncoder().encode(JSON.stringify(value)).length }
  } catch {
    return { problem: problemOf(text) }
  }
}
