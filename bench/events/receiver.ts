/** A fast receiver in a process of its own: it takes each delivery at once, and notes when it came. */
import { createServer } from 'node:http'

let count = 0
let firstAt = 0
let lastAt = 0
let delays: number[] = []

/** Notes a delivery; `timestamp` is when its record was written. */
const note = (text: string): void => {
  const { type, timestamp } = JSON.parse(text) as { type: string; timestamp: string }
  if (type === 'webhook.test') return
  lastAt = Date.now()
  if (count === 0) firstAt = lastAt
  count += 1
  delays.push(lastAt - Date.parse(timestamp))
}

const figures = (): string => {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return JSON.stringify({ count, firstAt, lastAt, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) })
}

const answers: Record<string, () => string> = {
  '/healthz': () => '',
  '/count': () => String(count),
  '/figures': figures,
  '/reset': () => {
    count = 0
    delays = []
    return ''
  },
}

createServer((request, response) => {
  const answer = answers[request.url ?? '']
  if (answer) {
    response.end(answer())
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    note(Buffer.concat(chunks).toString())
    response.writeHead(204).end()
  })
}).listen(Number(process.env['PORT']), '127.0.0.1')
