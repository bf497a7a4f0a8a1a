import { parse } from 'node:querystring'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

/** Larger bodies get 413 (docs/contract.md, "Limits"). */
export const bodyBytesMax = 1_048_576
/** Bounds nesting: deeper values would exhaust the stack of a later serialisation. */
const depthMax = 64

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

const [quote, backslash] = [...Buffer.from('"\\')]
const [openBrace, openBracket, closeBrace, closeBracket] = [...Buffer.from('{[}]')]

/** Throws 400 for a body nested too deeply, before it is parsed. */
const requireShallow = (bytes: Buffer): void => {
  let depth = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isInText && byte === backslash) at += 1
    else if (byte === quote) isInText = !isInText
    else if (!isInText) depth += stepOf(byte)
    if (depth > depthMax) throw malformed(`The body is nested deeper than ${depthMax} levels`)
  }
}

const stepOf = (byte: number | undefined): number => {
  if (byte === openBrace || byte === openBracket) return 1
  return byte === closeBrace || byte === closeBracket ? -1 : 0
}

const longNumber = /\d{16}/

/** Refuses an integer that JavaScript would round silently: a setting's value is stored exactly or not at all. */
const requireExact = (_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown => {
  if (typeof value === 'number' && /^-?\d+$/.test(source) && BigInt(source) !== BigInt(value)) {
    throw malformed('Integers must be from -(2^53-1) to 2^53-1, or exact beyond; send others as text')
  }
  return value
}

const parseText = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, requireExact) : JSON.parse(text)

const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  requireShallow(bytes)
  try {
    return parseText(decoder.decode(bytes))
  } catch (err) {
    throw err instanceof AppError ? err : malformed('The body is not valid JSON in UTF-8')
  }
}

/** Parses a form. Invalid percent-encoding becomes unsound text, which validation refuses. */
const parseForm = (text: string): Record<string, unknown> => {
  const strictly = (part: string) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return '\0' // refused as unsound text
    }
  }
  return parse(text, '&', '=', { decodeURIComponent: strictly, maxKeys: 0 })
}

/** Parses the query string. A parameter without a value counts as left out (docs/contract.md, "Requests and responses"). */
export const parseQuery = (text: string): Record<string, unknown> => {
  const query = parseForm(text)
  for (const [name, value] of Object.entries(query)) if (value === '' && isSound(name)) delete query[name]
  return query
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
      const form = parseForm(text)
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
    async (_request: FastifyRequest, bytes: Buffer) => {
      const body = parseJson(bytes)
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
