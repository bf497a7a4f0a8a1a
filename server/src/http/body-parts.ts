/**
 * Limits the parts of a JSON body before it is parsed (decision 0318). Parsing very many parts would delay all other
 * requests.
 */
import { AppError } from '../errors/app-error.ts'

export const malformed = (message: string) => new AppError('malformedBody', message)

/** The deepest nesting. Deeper values would exhaust the stack of a later serialisation. */
const depthMax = 64
/** A unit of work takes up to 0.1 µs. 20,000 members of a group fit, with three fields each. */
const bodyWorkMax = 520_000
/** The work of a name that the body uses first: objects with many different names are slow. */
const newNameWork = 75
const longNumberWork = 6
/** The most digits of a number. No finite number has more. */
const digitsMax = 309

const [quote, backslash, colon] = [...Buffer.from('"\\:')]

/** A table with a number for each byte. It has 0 for unlisted bytes. */
const tableOf = (numbers: Record<string, number>): Int8Array => {
  const table = new Int8Array(256)
  for (const [byte, number] of Object.entries(numbers)) table[byte.charCodeAt(0)] = number
  return table
}
const works = tableOf({ '{': 3, '[': 3, ':': 3, ',': 2, '}': 1, ']': 1 })
const depths = tableOf({ '{': 1, '[': 1, '}': -1, ']': -1 })
const digits = tableOf(Object.fromEntries('0123456789+-.eE'.split('').map((one) => [one, 1])))

interface Scan {
  bytes: Buffer
  depth: number
  work: number
  names: Set<string>
  /** The start of the latest text, which is a name if a colon follows. */
  textFrom: number
  textTo: number
}

const endOfText = (bytes: Buffer, from: number): number => {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

const endOfNumber = (bytes: Buffer, from: number): number => {
  let at = from
  while (digits[bytes[at + 1] ?? 0]) at += 1
  return at
}

/** Refuses an integer that JavaScript would round, because a setting's value is stored exactly or not at all. */
const requireExact = (source: string): void => {
  const value = Number(source)
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return
  if (source.length > digitsMax || BigInt(source) !== BigInt(value)) {
    throw malformed('Integers must be from -(2^53-1) to 2^53-1, or exact beyond; send others as text')
  }
}

const passNumber = (scan: Scan, from: number): number => {
  const { bytes } = scan
  const to = endOfNumber(bytes, from)
  if (to - from >= 15) {
    scan.work += longNumberWork
    requireExact(bytes.toString('latin1', from, to + 1))
  }
  return to
}

const workOfName = ({ bytes, names, textFrom, textTo }: Scan): number => {
  const known = names.size
  names.add(bytes.toString('latin1', textFrom, textTo))
  return names.size > known ? newNameWork : 0
}

const passMark = (scan: Scan, byte: number, workMax: number): void => {
  scan.depth += depths[byte] ?? 0
  scan.work += works[byte] ?? 0
  if (byte === colon) scan.work += workOfName(scan)
  if (scan.depth > depthMax) throw malformed(`The body is nested deeper than ${depthMax} levels`)
  if (scan.work > workMax) throw malformed('The body has too many values. Send them in several requests')
}

/**
 * Throws 400 for a body that is nested too deeply, has too many parts, or contains a number that JavaScript cannot
 * represent exactly.
 */
export const requireReadable = (bytes: Buffer, workMax = bodyWorkMax): void => {
  const scan: Scan = { bytes, depth: 0, work: 0, names: new Set(), textFrom: 0, textTo: 0 }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === quote) {
      scan.work += 1
      scan.textFrom = at
      at = scan.textTo = endOfText(bytes, at)
    } else if (digits[byte]) at = passNumber(scan, at)
    else if (works[byte]) passMark(scan, byte, workMax)
  }
}
