/** A collector of traces: an HTTP server that reads OTLP in protobuf by its own code, from opentelemetry-proto 1.x. */
import { text, buffer } from 'node:stream/consumers'
import { listen } from '../../lab/receiver.ts'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** '' at the root of a trace. */
  parentId: string
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  startedAt: bigint
  endedAt: bigint
  attributes: Record<string, string | number>
  isError: boolean
  /** The attributes of the process. */
  resource: Record<string, string | number>
}

export interface Collector {
  url: string
  spans: ReceivedSpan[]
  /** Everything that arrived, as text: a secret in it is found even in a field that nobody reads. */
  raw(): string
  close(): Promise<void>
}

type Field = Buffer | bigint
type Message = Map<number, Field[]>

const readVarint = (bytes: Buffer, start: number): { value: bigint; next: number } => {
  let value = 0n
  for (let at = start, shift = 0n; ; at += 1, shift += 7n) {
    const byte = bytes.readUInt8(at)
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { value, next: at + 1 }
  }
}

/** Reads one value of a wire type. Throws for a type that OTLP does not use, and for bytes that end too early. */
const readValue = (bytes: Buffer, type: number, at: number): { value: Field; next: number } => {
  if (type === 0) return readVarint(bytes, at)
  if (type === 1) return { value: bytes.readBigUInt64LE(at), next: at + 8 }
  if (type === 5) return { value: BigInt(bytes.readUInt32LE(at)), next: at + 4 }
  if (type !== 2) throw new Error(`wire type ${type}`)
  const { value: length, next } = readVarint(bytes, at)
  const end = next + Number(length)
  if (end > bytes.length) throw new Error('a field ends behind its message')
  return { value: bytes.subarray(next, end), next: end }
}

const readMessage = (bytes: Buffer): Message => {
  const message: Message = new Map()
  for (let at = 0; at < bytes.length;) {
    const tag = readVarint(bytes, at)
    const { value, next } = readValue(bytes, Number(tag.value & 7n), tag.next)
    const field = Number(tag.value >> 3n)
    message.set(field, [...(message.get(field) ?? []), value])
    at = next
  }
  return message
}

const bytesIn = (message: Message, field: number): Buffer[] =>
  (message.get(field) ?? []).filter((value) => typeof value !== 'bigint')
const messagesIn = (message: Message, field: number): Message[] => bytesIn(message, field).map(readMessage)
const textIn = (message: Message, field: number): string => bytesIn(message, field)[0]?.toString() ?? ''
const hexIn = (message: Message, field: number): string => bytesIn(message, field)[0]?.toString('hex') ?? ''
const numberIn = (message: Message, field: number): bigint => {
  const [value] = message.get(field) ?? []
  return typeof value === 'bigint' ? value : 0n
}

const attributesIn = (message: Message, field: number): Record<string, string | number> =>
  Object.fromEntries(
    messagesIn(message, field).map((pair) => {
      const [value = new Map<number, Field[]>()] = messagesIn(pair, 2)
      return [textIn(pair, 1), value.has(1) ? textIn(value, 1) : Number(numberIn(value, 3))]
    }),
  )

const spanOf = (span: Message, resource: ReceivedSpan['resource']): ReceivedSpan => ({
  traceId: hexIn(span, 1),
  spanId: hexIn(span, 2),
  parentId: hexIn(span, 4),
  name: textIn(span, 5),
  kind: Number(numberIn(span, 6)),
  startedAt: numberIn(span, 7),
  endedAt: numberIn(span, 8),
  attributes: attributesIn(span, 9),
  isError: messagesIn(span, 15).some((status) => numberIn(status, 3) === 2n),
  resource,
})

const spansOf = (body: Buffer): ReceivedSpan[] =>
  messagesIn(readMessage(body), 1).flatMap((ofProcess) => {
    const [resource = new Map<number, Field[]>()] = messagesIn(ofProcess, 1)
    const attributes = attributesIn(resource, 1)
    return messagesIn(ofProcess, 2)
      .flatMap((scope) => messagesIn(scope, 2))
      .map((span) => spanOf(span, attributes))
  })

/** Starts a collector on a free port. */
export const startCollector = async (): Promise<Collector> => {
  const bodies: Buffer[] = []
  const spans: ReceivedSpan[] = []
  const { url, stop: close } = await listen((request, response) => {
    void buffer(request).then((body) => {
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf') {
        response.writeHead(404).end()
        return
      }
      bodies.push(body)
      spans.push(...spansOf(body))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  return {
    url,
    spans,
    raw: () => Buffer.concat(bodies).toString(),
    close,
  }
}

/** Starts a collector that takes requests and never answers. */
export const startSilentCollector = async (): Promise<
  Pick<Collector, 'url' | 'close'> & { asked: () => number }
> => {
  let asked = 0
  const { url, stop: close } = await listen((request) => {
    asked += 1
    void text(request)
  })
  return {
    url,
    asked: () => asked,
    close,
  }
}
