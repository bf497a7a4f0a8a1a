import { parse } from 'node:querystring'
import { setImmediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'
import { malformed, requireReadable } from './body-parts.ts'

/** Larger bodies get 413 (docs/contract.md, "Limits"). */
export const bodyBytesMax = 1_048_576

const json = /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Refuses a NUL byte or a lone surrogate (docs/contract.md, "Requests and responses"). */
const isSound = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Throws 400 unless the database can store every string and key in `value`, and the API can return it unchanged. */
const requireSoundText = (value: unknown): void => {
  // An explicit stack without copies, so that a megabyte of tiny values does not block the event loop.
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
  // Objects from JSON.parse inherit no enumerable keys.
  for (const key in parent) {
    requireSound(key)
    if (key === '__proto__') throw malformed('The body must not contain the key __proto__')
    open.push((parent as Record<string, unknown>)[key])
  }
}

/** The bytes that a millisecond can read. */
const smallBytesMax = 65_536

const parseText = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(decoder.decode(bytes)) as unknown
  } catch {
    throw malformed('The body is not valid JSON in UTF-8')
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

/**
 * Parses the query string. A parameter without a value counts as omitted (docs/contract.md, "Requests and responses").
 */
export const parseQuery = (text: string): Record<string, unknown> => {
  if (text === '') return {}
  const query = parseForm(text)
  for (const [name, value] of Object.entries(query)) if (value === '' && isSound(name)) delete query[name]
  return query
}

/** True if every field of the body is optional, so that a request may omit the body. */
const needsNothing = (schema: unknown): boolean =>
  schema !== undefined && (schema as { required?: unknown }).required === undefined

/** Larger forms get 413. A token has up to 4 kB. */
const formBytesMax = 64 * 1024
/** Limits parameters: each of many thousand could throw during decoding. */
const tooManyParameters = /^(?:[^&]*&){100}/

/** Parses text with the rules of a request body. Throws an AppError for content that a body must not have. */
export const readAsBody = (text: string): unknown => {
  const bytes = Buffer.from(text)
  requireReadable(bytes)
  const value = parseText(bytes)
  requireSoundText(value)
  return value
}

/**
 * The scope accepts only forms as bodies; others get 415. A parameter without a value counts as omitted (RFC 6749,
 * 3.1).
 */
export const acceptFormsOnly = (app: App, bytesMax = formBytesMax): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bytesMax },
    async (_request: FastifyRequest, text: string) => {
      if (tooManyParameters.test(text)) throw malformed('A form has at most 100 parameters')
      const form = parseForm(text)
      requireSoundText(form)
      return form
    },
  )
}

/**
 * The scope accepts only JSON as bodies (else 415), up to 1 MiB (else 413), with sound text (else 400). If every field
 * is optional, an absent body counts as an empty one.
 */
export const acceptJsonOnly = (app: App): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    json,
    { parseAs: 'buffer', bodyLimit: bodyBytesMax },
    async ({ routeOptions: { config } }: FastifyRequest, bytes: Buffer) => {
      requireReadable(bytes, config.bodyWorkMax)
      // Other requests run between the steps of reading a large body.
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
