import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

/** Contract: 413 for a body over 1 MiB. */
export const bodyBytesMax = 1_048_576
/** Deeper nesting has no use here, and would exhaust the stack of whoever serialises it again. */
const depthMax = 64

const json = /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

const malformed = (message: string) => new AppError('malformedBody', message)

/** Contract: a NUL byte or a lone surrogate anywhere is 400. */
const isSound = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Throws 400 unless every string and key in `value` can be stored and sent back as it is. */
export const requireSoundText = (value: unknown): void => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) throw malformed(`The body is nested deeper than ${depthMax} levels`)
    level = level.flatMap(childrenOf)
  }
}

const childrenOf = (value: unknown): unknown[] => {
  if (typeof value === 'string' && !isSound(value)) {
    throw malformed('Text must not contain NUL characters or lone surrogates')
  }
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value as unknown[]
  return Object.entries(value as Record<string, unknown>).flatMap(([key, child]) => {
    if (key === '__proto__') throw malformed('The body must not contain the key __proto__')
    return [key, child]
  })
}

const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw malformed('The body is not valid JSON in UTF-8')
  }
}

/** Bodies are JSON and nothing else (415), at most 1 MiB (413), and hold only sound text (400). */
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
  app.addHook('preValidation', async ({ params, query }) => {
    requireSoundText(params)
    requireSoundText(query)
  })
}
