import { parse } from 'node:querystring'
import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

/** Larger bodies get 413 (docs/contract.md, "Limits"). */
export const bodyBytesMax = 1_048_576
/** Bounds nesting: deeper values would exhaust the stack of a later serialisation. */
const depthMax = 64
/** The steps of reading so many bytes take a millisecond. */
const smallBytesMax = 65_536
/** Bounds the work of JSON.parse, which 4 MiB of tiny values keep for half a second: 20,000 members of a group fit. */
const valuesMax = 105_000

const json = /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

const malformed = (message: string) => new AppError('malformedBody', message)

/** A NUL byte or a lone surrogate is refused (docs/contract.md, "Requests and responses"). */
const isSound = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Throws 400 unless every string and key in `value` can be stored and sent back as it is. */
const requireSoundText = (value: unknown): void => {
  // An explicit stack without copies keeps a megabyte of tiny values from blocking the event loop.
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') requireSound(next)
    else if (next === Infinity || next === -Infinity) throw malformed('Numbers must be below 1.8e308')
    else if (typeof next === 'object' && next !== null) pushChildren(open, next)
  }
}

const requireSound = (text: string): void => {
  if (!isSound(text)) throw malformed('Text must not contain NUL characters or lone surrogates')
}

const pushChildren = (open: unknown[], parent: object): void => {
  if (Array.isArray(parent)) {
    for (const child of parent) open.push(child)
    return
  }
  // Objects made by JSON.parse inherit no enumerable keys.
  for (const key in parent) {
    requireSound(key)
    if (key === '__proto__') throw malformed('The body must not contain the key __proto__')
    open.push((parent as Record<string, unknown>)[key])
  }
}

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket, comma] = [
  ...Buffer.from('"\\{[}],'),
]

const stepOf = (byte: number | undefined): number => {
  if (byte === openBrace || byte === openBracket) return 1
  return byte === closeBrace || byte === closeBracket ? -1 : 0
}

/** The place of the quote that ends the text at `at`. */
const endOfText = (bytes: Buffer, at: number): number => {
  let end = at + 1
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1
  return end
}

const isDigit = (byte = 0): boolean => byte >= 48 && byte <= 57

/** Refuses an integer that JavaScript would round silently: a setting's value is stored exactly or not at all. */
const requireExact = (text: string): void => {
  const value = Number(text)
  if (/^\d+$/.test(text) && value !== Infinity && BigInt(text) !== BigInt(value)) {
    throw malformed('Integers must be from -(2^53-1) to 2^53-1, or exact beyond; send others as text')
  }
}

const isOfNumber = (byte = 0): boolean => isDigit(byte) || '.eE+-'.includes(String.fromCharCode(byte))

/** The place of the last character of the number at `at`. */
const endOfNumber = (bytes: Buffer, at: number): number => {
  let end = at + 1
  while (isOfNumber(bytes[end])) end += 1
  if (end - at >= 16) requireExact(bytes.toString('latin1', at, end))
  return end - 1
}

const tooMuch = (depth: number, max: number) =>
  malformed(
    depth > depthMax
      ? `The body is nested deeper than ${depthMax} levels`
      : `The body has more than ${max} values`,
  )

/** Throws 400 for a body that is nested too deeply, or has too many values, before it is parsed. */
const requireModest = (bytes: Buffer, max: number): void => {
  let [depth, values] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else if (isDigit(byte)) at = endOfNumber(bytes, at)
    else {
      const step = stepOf(byte)
      depth += step
      values += step === 1 || byte === comma ? 1 : 0
      if (depth > depthMax || values > max) throw tooMuch(depth, max)
    }
  }
}

const parseText = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown
  } catch {
    throw malformed('The body is not valid JSON in UTF-8')
  }
}

const parseJson = (bytes: Buffer): unknown => {
  requireModest(bytes, valuesMax)
  return parseText(bytes)
}

/** Parses the query string. Invalid percent-encoding becomes unsound text, which validation refuses. */
export const parseQuery = (text: string): Record<string, unknown> => {
  const strictly = (part: string) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return '\0' // refused as unsound text
    }
  }
  return parse(text, '&', '=', { decodeURIComponent: strictly, maxKeys: 0 })
}

/** Whether a request may leave the body of its route out: every field is optional. */
const needsNothing = (schema: unknown): boolean =>
  schema !== undefined && (schema as { required?: unknown }).required === undefined

/** Larger forms get 413: a token has up to 4 kB. */
const formBytesMax = 64 * 1024

/** Reads text as the body of a request is read. Throws an AppError for what such a body must not hold. */
export const readAsBody = (text: string): unknown => {
  const value = parseJson(Buffer.from(text))
  requireSoundText(value)
  return value
}

/** Bodies of the scope are forms and nothing else (415). A parameter without a value counts as left out (RFC 6749, 3.1). */
export const acceptFormsOnly = (app: App, bytesMax = formBytesMax): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bytesMax },
    async (_request: FastifyRequest, text: string) => {
      const form = parseQuery(text)
      requireSoundText(form)
      return form
    },
  )
}

/**
 * Bodies are JSON and nothing else (415), at most 1 MiB (413), and hold only sound text (400). An absent body is an empty
 * one where every field is optional.
 */
export const acceptJsonOnly = (app: App): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    json,
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    async ({ routeOptions: { config } }: FastifyRequest, bytes: Buffer) => {
      requireModest(bytes, config.valuesMax ?? valuesMax)
      // Other requests get their turn between the steps of reading a large body.
      const pause = () => (bytes.length > smallBytesMax ? setImmediate() : undefined)
      await pause()
      const body = parseText(bytes)
      await pause()
      requireSoundText(body)
      return body
    },
  )
  app.addHook('preValidation', (request, _reply, done) => {
    requireSoundText(request.params)
    requireSoundText(request.query)
    if (request.body === undefined && needsNothing(request.routeOptions.schema?.body)) request.body = {}
    done()
  })
}
