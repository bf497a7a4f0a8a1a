import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../figures.ts'
import type { Request } from '../load.ts'

/** The measurements of one round of requests, sent one after another on each connection. */
export interface Series {
  p50Ms: number
  p99Ms: number
  requests: number
  /** Answers other than 200. */
  failures: number
}

/** One answer: its time, and whether its status was 200. */
export interface Answer {
  ms: number
  isSuccess: boolean
}

/** A connection that carries one request at a time. */
interface Line {
  ask(request: Request): Promise<Answer>
  close(): void
}

const bytesOf = ({ method, path, headers = {}, body }: Request): string => {
  const json = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'bench',
    ...headers,
    ...(json === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', json].join('\r\n')
}

const headEnd = '\r\n\r\n'

/** Returns the status once the answer is complete. */
const statusOf = (text: string): number | undefined => {
  const end = text.indexOf(headEnd)
  if (end < 0) return undefined
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end)) ?? []
  if (length === undefined) throw new Error(`an answer lacks its length: ${text.slice(0, end)}`)
  return text.length >= end + headEnd.length + Number(length) ? Number(text.slice(9, 12)) : undefined
}

const readAnswer = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = ''
    const end = (settle: () => void) => {
      socket.off('data', onData).off('close', onClose)
      settle()
    }
    const onClose = () => end(() => reject(new Error('the service closed the connection')))
    const onData = (chunk: string) => {
      text += chunk
      const status = statusOf(text)
      if (status !== undefined) end(() => resolve(status))
    }
    socket.on('data', onData).once('close', onClose)
  })

/** Opens a socket of its own: the overhead of an HTTP client would count as the service's time. */
const openLine = async (url: string): Promise<Line> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.setEncoding('latin1') // one character per byte
  await once(socket, 'connect')
  socket.on('error', () => {}) // 'close' follows and is handled
  return {
    async ask(request) {
      const bytes = bytesOf(request)
      if (socket.destroyed) throw new Error('the service closed the connection')
      const start = performance.now()
      socket.write(bytes)
      const status = await readAnswer(socket)
      return { ms: performance.now() - start, isSuccess: status === 200 }
    },
    close: () => void socket.destroy(),
  }
}

export const seriesOf = (answers: Answer[]): Series => {
  const times = answers.map(({ ms }) => ms)
  return {
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    requests: answers.length,
    failures: answers.filter(({ isSuccess }) => !isSuccess).length,
  }
}

/** Repeats the values without end. */
export function* inTurn<T>(values: T[]): Generator<T> {
  for (;;) yield* values
}

interface Until {
  isOver: (asked: number) => boolean
  pauseMs?: number
}

/** Sends requests over one connection, one after another, with a pause before each, until `isOver`. */
export const askUntil = async (
  url: string,
  requests: Iterable<Request>,
  { isOver, pauseMs = 0 }: Until,
): Promise<Answer[]> => {
  const line = await openLine(url)
  const answers: Answer[] = []
  try {
    for (const request of requests) {
      if (isOver(answers.length)) break
      if (pauseMs > 0) await sleep(pauseMs)
      answers.push(await line.ask(request))
    }
    return answers
  } finally {
    line.close()
  }
}

/** Does the same over so many connections at once. */
export const askSideBySide = async (
  url: string,
  requests: Request[],
  { lines, ...until }: Until & { lines: number },
): Promise<Answer[]> => {
  const all = Array.from({ length: lines }, () => askUntil(url, inTurn(requests), until))
  return (await Promise.all(all)).flat()
}
