import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * W3C Trace Context, level 1: version, trace id, parent id, flags. Ids of zeros and version ff are invalid. Only
 * versions after 00 can append fields.
 */
const traceparent =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

type Headers = Pick<IncomingMessage, 'headers'>

const readParent = ({ traceparent: text }: Headers['headers']): RegExpExecArray | null =>
  text === undefined ? null : traceparent.exec(String(text))

/** The trace id of a valid `traceparent` header, else a new one: 32 hex digits. */
export const traceIdOf = ({ headers }: Headers): string => {
  const [, traceId] = readParent(headers) ?? []
  // `randomUUID` generates the random numbers for many ids at once. Generating bytes for each request took 9 % of a
  // small request.
  return traceId ?? randomUUID().replaceAll('-', '')
}

/** The caller's span in a valid `traceparent` header. */
export const parentOf = ({ headers }: Headers): { spanId: string; traceFlags: number } | undefined => {
  const [, , spanId, flags] = readParent(headers) ?? []
  return spanId === undefined ? undefined : { spanId, traceFlags: Number.parseInt(flags ?? '', 16) }
}
