/** The grammar of filters and paths (RFC 7644, 3.4.2.2 and 3.5.2). */
import { invalidFilter, invalidPath } from '../../../errors/scim-error.ts'

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof operators)[number]
export type Value = string | number | boolean | null

export interface Comparison {
  is: 'comparison'
  path: string
  operator: Operator
  value: Value
}

export type Filter =
  | { is: 'and'; parts: Filter[] }
  | { is: 'or'; parts: Filter[] }
  | { is: 'not'; part: Filter }
  | { is: 'present'; path: string }
  /** A condition that one element of a list must meet as a whole. */
  | { is: 'element'; path: string; part: Filter }
  | Comparison

/** Longer or deeper filters get 400. */
const lengthMax = 2000
export const pathLengthMax = lengthMax
const depthMax = 10

const token =
  /\s*(?:(?<mark>[()[\]])|(?<text>"(?:[^"\\]|\\.)*")|(?<sub>\.[A-Za-z$][\w$-]*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])|(?<word>[A-Za-z$](?:[\w$:.-]*[\w$-])?))/y

interface Token {
  kind: 'mark' | 'text' | 'sub' | 'number' | 'word' | 'end'
  text: string
}

const tokensOf = (filter: string): Token[] => {
  const tokens: Token[] = []
  token.lastIndex = 0
  const end = filter.trimEnd().length
  while (token.lastIndex < end) {
    const at = token.lastIndex
    const [[kind, text] = ['', '']] = Object.entries(token.exec(filter)?.groups ?? {}).filter(
      ([, found]) => found !== undefined,
    )
    if (kind === '') throw invalidFilter(`The filter is not understood from character ${at + 1} on`)
    tokens.push({ kind: kind as Token['kind'], text: text ?? '' })
  }
  return tokens
}

const unexpected = ({ kind, text }: Token, wanted: string) =>
  invalidFilter(`The filter needs ${wanted} ${kind === 'end' ? 'at its end' : `instead of ${text}`}`)

const constants = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
])

const valueOf = (given: Token): Value => {
  if (given.kind === 'number') return Number(given.text)
  const constant = given.kind === 'word' ? constants.get(given.text.toLowerCase()) : undefined
  if (constant !== undefined) return constant
  if (given.kind === 'text') return textOf(given.text)
  throw unexpected(given, 'a value')
}

/** Some providers send an unescaped backslash: CORP\ada. */
const unquoted = (quoted: string): string => {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
  }
}

/** An escape can encode characters that a body must not contain, and that PostgreSQL refuses. */
const textOf = (quoted: string): string => {
  const text = unquoted(quoted)
  if (text.isWellFormed() && !text.includes('\0')) return text
  throw invalidFilter('A filter must not contain NUL characters or lone surrogates')
}

interface Reading {
  tokens: Token[]
  at: number
  depth: number
}

const ended: Token = { kind: 'end', text: '' }

const next = (reading: Reading): Token => reading.tokens[reading.at++] ?? ended

const takes = (reading: Reading, text: string): boolean => {
  const { kind, text: found } = reading.tokens[reading.at] ?? ended
  const isTaken = kind !== 'text' && found.toLowerCase() === text
  if (isTaken) reading.at += 1
  return isTaken
}

const readList = (reading: Reading, word: 'and' | 'or', read: (reading: Reading) => Filter): Filter => {
  const first = read(reading)
  const parts = [first]
  while (takes(reading, word)) parts.push(read(reading))
  return parts.length === 1 ? first : { is: word, parts }
}

const readAll = (reading: Reading): Filter => readList(reading, 'and', readOne)

const readAny = (reading: Reading): Filter => {
  reading.depth += 1
  if (reading.depth > depthMax) throw invalidFilter(`The filter is nested deeper than ${depthMax} levels`)
  const filter = readList(reading, 'or', readAll)
  reading.depth -= 1
  return filter
}

const readInside = (reading: Reading, closing: string): Filter => {
  const filter = readAny(reading)
  if (!takes(reading, closing)) throw unexpected(next(reading), closing)
  return filter
}

const readOne = (reading: Reading): Filter => {
  if (takes(reading, '(')) return readInside(reading, ')')
  const name = next(reading)
  if (name.kind !== 'word') throw unexpected(name, 'the name of an attribute')
  if (name.text.toLowerCase() === 'not' && takes(reading, '(')) {
    return { is: 'not', part: readInside(reading, ')') }
  }
  return takes(reading, '[') ? readElement(reading, name.text) : readCondition(reading, name.text)
}

const readElement = (reading: Reading, path: string): Filter => {
  const part = readInside(reading, ']')
  if (reading.tokens[reading.at]?.kind !== 'sub') return { is: 'element', path, part }
  const condition = readCondition(reading, next(reading).text.slice(1))
  return { is: 'element', path, part: { is: 'and', parts: [part, condition] } }
}

const readCondition = (reading: Reading, path: string): Filter => {
  if (takes(reading, 'pr')) return { is: 'present', path }
  const operator = operators.find((one) => takes(reading, one))
  if (operator === undefined) throw unexpected(next(reading), `an operator after ${path}`)
  return { is: 'comparison', path, operator, value: valueOf(next(reading)) }
}

/** Reads a filter. Throws 400 `invalidFilter` if it is malformed, too long or too deep. */
export const readFilter = (text: string): Filter => {
  if (text.length > lengthMax) throw invalidFilter(`The filter has more than ${lengthMax} characters`)
  const reading = { tokens: tokensOf(text), at: 0, depth: -1 }
  const filter = readAny(reading)
  if (reading.at < reading.tokens.length) throw unexpected(next(reading), 'and, or, or its end')
  return filter
}

/** The path of an operation (RFC 7644, 3.5.2). */
export interface ScimPath {
  /** The URN of a schema, if given. */
  schema: string | undefined
  /** The attribute; "" for a whole schema or extension. */
  attribute: string
  filter: Filter | undefined
  sub: string | undefined
}

const urn = /^(urn:[\w:.-]+:\d+\.\d+:[A-Za-z]+)(?::(.+))?$/is
const pathForm = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/s

/**
 * Separates the URN of a schema, if there is one, from a name. The URN's version contains a dot, so the last dot does
 * not separate them.
 */
export const divideUrn = (name: string): { schema: string | undefined; rest: string } => {
  const [, schema, rest = ''] = urn.exec(name) ?? []
  return schema === undefined ? { schema, rest: name } : { schema, rest }
}

/** Reads the path of an operation. Throws 400 `invalidPath` or `invalidFilter`. */
export const readPath = (text: string): ScimPath => {
  const { schema, rest } = divideUrn(text.trim())
  if (schema !== undefined && rest === '') return { schema, attribute: '', filter: undefined, sub: undefined }
  const [, attribute, filter, sub] = pathForm.exec(rest) ?? []
  if (attribute === undefined) throw invalidPath(`The path ${text.slice(0, 100)} is not understood`)
  return { schema, attribute, filter: filter === undefined ? undefined : readFilter(filter), sub }
}
