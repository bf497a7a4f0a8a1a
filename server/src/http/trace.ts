import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** W3C Trace Context, level 1: version, trace id, parent id, flags; a later version may append more. */
const traceparent = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const allZero = /^0+$/

/** The trace id of a valid `traceparent` header, else a new one: 32 hex digits. */
export const traceIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const header = request.headers['traceparent']
  const [, version, traceId = '', parentId = ''] = (typeof header === 'string' && traceparent.exec(header)) || []
  const isTooLong = version === '00' && typeof header === 'string' && header.length > 55
  const isValid = version !== undefined && !isTooLong && !allZero.test(traceId) && !allZero.test(parentId)
  return isValid ? traceId : randomBytes(16).toString('hex')
}
