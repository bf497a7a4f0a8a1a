/** Sends generated requests of several callers to every operation of the API description, and collects the breaches. */
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Names } from '../../../lab/directory.ts'
import type { Target } from '../../target.ts'
import { readDocument, type Document } from './document.ts'
import type { Operation } from './operation.ts'
import { enter, type Journal } from './journal.ts'
import type { Caller } from './headers.ts'
import { plans, type Plan } from './plan.ts'
import { isOverload, judge, type Charge } from './verdict.ts'
import { openWire, type Received, type Sent, type Wire } from './wire.ts'
import { learn, openWorld, realise, type Actor, type World } from './world.ts'

/** The share of all requests that each caller sends. */
const shares: Record<Caller, number> = {
  administrator: 0.15,
  application: 0.05,
  browser: 0.1,
  directory: 0.1,
  key: 0.1,
  platform: 0.15,
  member: 0.1,
  nobody: 0.1,
}

export const slowMs = 1000

/** Each breach with its count and the shortest request that shows it. */
export type Breaches = Record<Charge, Map<string, { times: number; smallest: string }>>

export interface Fuzz {
  /** How many requests all callers send together. */
  requests: number
  world: World
  document: Document
  wire: Wire
  seed: number
  journal: Journal
  breaches: Breaches
  statuses: Map<number, number>
  operations: Set<string>
  sent: number
  overloads: number
  /** Requests that are too large, and whose connection ended while the rest was still being sent. */
  cutOff: number
  slowest: { ms: number; what: string }
  slow: number
}

/** A platform administrator's request may only change objects that the proof created. */
const harmful = new Set([
  'POST /api/v1/password',
  'PUT /api/v1/notifications/read-all',
  'POST /api/v1/notifications/broadcasts/{id}/batches',
])

/** Not sent to a service in use: these requests cannot be undone, or reach beyond the proof's tenant. */
const lasting = new Set(['PUT /api/v1/settings/global/{key}', 'POST /api/v1/auth/register'])

/** Only sent without a token: they end the sessions that the proof needs. */
const ending = new Set([
  'POST /api/v1/auth/logout',
  'DELETE /api/v1/auth/sessions',
  'POST /api/v1/auth/account/delete',
])

/** Callers of a part of the operations. */
const parts: Partial<Record<Caller, RegExp>> = {
  application: /^\/(?:oauth2|ofrep)\/(?!interactions|links|authorize)/,
  browser: /^\/(?:oauth2\/(?:authorize|interactions|links|logout|resume)|sso\/)/,
  directory: /^\/scim\//,
}

const operationsFor = (caller: Caller, { operations }: Document, { kind }: Target): Operation[] =>
  operations
    .filter(({ path }) => parts[caller]?.test(path) ?? true)
    .filter(({ id }) => kind !== 'given' || !lasting.has(id))
    .filter(({ id }) => caller === 'nobody' || !ending.has(id))
    .filter(({ id, path }) => caller !== 'platform' || !(harmful.has(id) || path.includes('/auth/')))

const shown = ({ method, url, headers, body }: Sent): string => {
  const named = headers
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]) => `${name}: ${value.slice(0, 60)}`)
  const text = body instanceof Uint8Array ? `bytes ${Buffer.from(body).toString('hex')}` : (body ?? '')
  const rest = text.length > 200 ? ` … ${text.length} characters` : ''
  return `${method} ${url.slice(0, 200)} [${named.join(', ')}] ${text.slice(0, 200)}${rest}`
}

const tooManyRequests = 42_901

/** Repeats a request after the time that a service with request limits names. */
const sendPatiently = async (wire: Wire, sent: Sent): Promise<Received> => {
  const answer = await wire.send(sent)
  if (answer.status !== 429 || !answer.text.includes(String(tooManyRequests))) return answer
  await sleep(Number(answer.headers['retry-after'] ?? 1) * 1000)
  return sendPatiently(wire, sent)
}

const measure = (fuzz: Fuzz, what: string, answer: Received): void => {
  fuzz.sent += 1
  fuzz.statuses.set(answer.status, (fuzz.statuses.get(answer.status) ?? 0) + 1)
  if (isOverload(answer)) fuzz.overloads += 1
  if (answer.ms >= slowMs) fuzz.slow += 1
  if (answer.ms > fuzz.slowest.ms) fuzz.slowest = { ms: answer.ms, what }
}

const note = (breaches: Breaches[Charge], text: string, what: string): void => {
  const { times, smallest } = breaches.get(text) ?? { times: 0, smallest: what }
  breaches.set(text, { times: times + 1, smallest: what.length < smallest.length ? what : smallest })
}

/** The service reads at most so many bytes of the headers and of the body. */
const [headBytesMax, bodyBytesMax] = [16_384, 1_048_576]

/**
 * A request that is too large ends the connection, also while the rest of it is still being sent. TCP may then report
 * the end before the client reads the answer. Such requests are counted and shown.
 */
const isCutOff = (err: unknown, { headers, body = '' }: Sent): boolean => {
  const { code } = err as NodeJS.ErrnoException
  if (code !== 'EPIPE' && code !== 'ECONNRESET') return false
  const isHeadTooLarge = headers.flat().join().length > headBytesMax
  // A short body is in the buffers before an answer can come.
  return body.length > bodyBytesMax || (isHeadTooLarge && body.length > headBytesMax)
}

/** Sends one request and returns the breaches of its answer. */
const tryPlan = async (fuzz: Fuzz, who: Actor, plan: Plan): Promise<string[]> => {
  const sent = realise(plan, fuzz.world, who)
  const what = shown(sent)
  try {
    const answer = await sendPatiently(fuzz.wire, sent)
    const { operation } = plan
    measure(fuzz, what, answer)
    fuzz.operations.add(operation.id)
    const made = learn(fuzz.world, who, { operation, sent }, answer)
    enter(fuzz.journal, { operation, url: sent.url }, answer, made)
    const verdict = judge(operation, answer, fuzz.document)
    for (const [charge, text] of verdict) {
      note(fuzz.breaches[charge], text, `${what} → ${answer.text.slice(0, 200)}`)
    }
    return verdict.map(([, text]) => text)
  } catch (err) {
    if (isCutOff(err, sent)) {
      fuzz.cutOff += 1
      return []
    }
    note(fuzz.breaches.answer, String(err), what)
    return [String(err)]
  }
}

/** The limit on shrinking: the promise is broken anyway, and a small request shows it. */
const shrinksMax = 100

/** Runs until the first breach of a new kind and shrinks its request. Returns the number of runs. */
const runUntilBreach = async (
  fuzz: Fuzz,
  who: Actor,
  options: { seed: number; numRuns: number },
  known: Set<string>,
): Promise<number> => {
  const operations = operationsFor(who.caller, fuzz.document, fuzz.world.target)
  const found = new Set<string>()
  let [runs, shrinks] = [0, 0]
  const property = fc.asyncProperty(plans(operations, who.caller), async (plan) => {
    if (shrinks > shrinksMax) return
    const wrong = (await tryPlan(fuzz, who, plan)).filter((text) => !known.has(text))
    if (wrong.length > 0 || shrinks > 0) shrinks += 1
    else runs += 1
    for (const text of wrong) found.add(text)
    if (wrong.length > 0) throw new Error(wrong.join('; '))
  })
  await fc.check(property, options)
  for (const text of found) known.add(text)
  return runs + Math.min(shrinks, 1)
}

/** Sends all requests: a breach does not end the search. */
const runActor = async (fuzz: Fuzz, who: Actor, at: number): Promise<void> => {
  const total = Math.round(fuzz.requests * shares[who.caller])
  const known = new Set<string>()
  for (let [done, round] = [0, 0]; done < total; round += 1) {
    const seed = fuzz.seed + at + 100 * round
    done += await runUntilBreach(fuzz, who, { seed, numRuns: total - done }, known)
  }
}

export const sendAll = async (fuzz: Fuzz): Promise<void> => {
  await Promise.all(fuzz.world.actors.map((who, at) => runActor(fuzz, who, at)))
}

/** Prepares a tenant of its own with callers. `close` removes it. */
export const openFuzz = async (
  target: Target,
  { requests, seed, names }: Pick<Fuzz, 'requests' | 'seed'> & { names?: Names },
): Promise<Fuzz & { close(): Promise<void> }> => {
  const document = await readDocument(target.url)
  const world = await openWorld(target, names)
  const wire = openWire(target.url)
  const close = async () => {
    wire.close()
    await world.remove()
  }
  return {
    requests,
    world,
    document,
    wire,
    seed,
    journal: new Map(),
    breaches: { answer: new Map(), status: new Map(), envelope: new Map(), trace: new Map() },
    statuses: new Map(),
    operations: new Set(),
    sent: 0,
    overloads: 0,
    cutOff: 0,
    slowest: { ms: 0, what: 'none' },
    slow: 0,
    close,
  }
}
