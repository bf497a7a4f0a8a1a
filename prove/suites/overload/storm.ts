/*
 * A thread that keeps many sign-ins in flight, each from an address of its own and repeated soon after its answer. The
 * measuring thread is a different one, so that the cost of the storm's client does not count as the service's delay.
 */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface Storm {
  url: string
  emails: string[]
  password: string
  width: number
  ms: number
}

/** Counts of each status, and refusals without Retry-After. */
export interface StormOutcome {
  counts: Record<string, number>
  withoutRetryAfter: number
  /** Tokens of the last successful sign-ins. */
  tokens: string[]
}

/** Far sooner than Retry-After says. Without a pause this thread would take a core from the service. */
const pauseMs = 100

const { url, emails, password, width, ms } = workerData as Storm
const agent = new http.Agent({ keepAlive: true, maxSockets: width })
const outcome: StormOutcome = { counts: {}, withoutRetryAfter: 0, tokens: [] }
const endAt = performance.now() + ms

const headersOf = (turn: number, body: string) => ({
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
  'x-forwarded-for': `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`,
})

/** Of three attempts in a row one has the right password, one a wrong one, one an unknown address. */
const credentials = (turn: number) => {
  const email = emails[turn % emails.length] ?? ''
  if (turn % 3 === 0) return { email, password }
  return turn % 3 === 1 ? { email, password: 'a wrong password' } : { email: `x${email}`, password }
}

const login = (turn: number): Promise<http.IncomingMessage & { text: string }> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify(credentials(turn))
    const options = { method: 'POST', agent, headers: headersOf(turn, body), timeout: 20_000 }
    const sent = http.request(`${url}/api/v1/auth/login`, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve(Object.assign(response, { text })))
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer within 20 s')))
    sent.on('error', reject)
    sent.end(body)
  })

const note = ({ statusCode = 0, headers, text }: http.IncomingMessage & { text: string }): void => {
  outcome.counts[statusCode] = (outcome.counts[statusCode] ?? 0) + 1
  const isRefused = statusCode === 429 || statusCode === 503
  if (isRefused && !(Number(headers['retry-after']) > 0)) outcome.withoutRetryAfter += 1
  if (statusCode !== 200) return
  const { data } = JSON.parse(text) as { data: { access_token: string } }
  outcome.tokens.push(data.access_token)
}

let turns = 0
await Promise.all(
  Array.from({ length: width }, async () => {
    while (performance.now() < endAt) {
      await login(turns++).then(note, (err: unknown) => {
        const message = String(err)
        outcome.counts[message] = (outcome.counts[message] ?? 0) + 1
      })
      await sleep(pauseMs)
    }
  }),
)
agent.destroy()
parentPort?.postMessage(outcome)
