import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../lab/processes.ts'

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: unknown
}

/** The requests of a round, sent in turn; `tokens` holds one refresh token for each connection and one more. */
export interface Load {
  requests: Request[]
  tokens?: string[]
}

export interface Answered {
  /** Successful answers a second. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Unsuccessful answers, and broken connections. */
  failures: number
  answers: number
}

const script = fileURLToPath(new URL('load.lua', import.meta.url))

/** A JSON string is a Lua string as long as it has no \u escape: all requests here are ASCII. */
const quoted = (text: string) => JSON.stringify(text)

const headersOf = ({ headers, body }: Request) => {
  const all = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }
  return Object.entries(all).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`)
}

/** A text is sent as it is, such as a form; anything else as JSON. */
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const luaOf = (request: Request): string => {
  const { method, path, body } = request
  const text = body === undefined ? 'nil' : quoted(textOf(body))
  return `{method=${quoted(method)},path=${quoted(path)},headers={${headersOf(request).join(',')}},body=${text}}`
}

/** Every round continues the numbers of the one before: a user can be created only once. */
let firstNumber = 0
const numbersPerRound = 1_000_000

/** The first request of a load, with its placeholders filled in. */
export const firstOf = ({ requests: [first], tokens: [token = ''] = [] }: Load): Request => {
  firstNumber += numbersPerRound
  const text = JSON.stringify(first)
  return JSON.parse(text.replaceAll('{n}', String(firstNumber)).replaceAll('{token}', token)) as Request
}

const scriptOf = ({ requests, tokens = [] }: Load): string => {
  firstNumber += numbersPerRound
  return [
    `firstNumber = ${firstNumber}`,
    `tokens = {${tokens.map(quoted).join(',')}}`,
    `requests = {${requests.map(luaOf).join(',\n')}}`,
    `dofile(${quoted(script)})`,
  ].join('\n')
}

interface Result {
  requests: number
  micros: number
  p50: number
  p99: number
  refused: number
  broken: number
}

/**
 * Sends the load by wrk over that many connections, one request at a time on each. A generator in JavaScript costs as
 * much processor time as the measured servers (bench/README.md).
 */
export const send = async (
  url: string,
  load: Load,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Answered> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-load-'))
  const file = join(folder, 'load.lua')
  try {
    await writeFile(file, scriptOf(load))
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', file, url]
    const text = await run({ program: 'wrk', args })
    const [, json] = /^result (.*)$/m.exec(text) ?? []
    if (json === undefined) throw new Error(`wrk gave no result: ${text}`)
    return answeredOf(JSON.parse(json) as Result)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const answeredOf = ({ requests, micros, p50, p99, refused, broken }: Result): Answered => ({
  perSecond: ((requests - refused) / micros) * 1e6,
  p50Ms: p50 / 1000,
  p99Ms: p99 / 1000,
  failures: refused + broken,
  answers: requests,
})
