import type { Prove, Suite } from '../../suite.ts'
import { seedOf } from '../../seed.ts'
import { openNames, type Names } from '../../../lab/directory.ts'
import { ownStores, ownTarget, type Target } from '../../target.ts'
import { openFuzz, sendAll, slowMs, type Breaches, type Fuzz } from './fuzz.ts'
import { before, proveLog, proveThings } from './journal.ts'
import { charges, type Charge } from './verdict.ts'
import { isAlive, lostCallers } from './world.ts'

const refute = (breaches: Breaches[Charge], seed: number): void => {
  if (breaches.size === 0) return
  const kinds = [...breaches].map(([text, { times, smallest }]) => `${times}× ${text}: ${smallest}`)
  throw new Error(`PROVE_SEED=${seed} shows ${kinds.join(' | ')}`)
}

const countsOf = (statuses: Map<number, number>): string =>
  [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status} ${times}×`)
    .join(', ')

const proveAnswers = async (fuzz: Fuzz): Promise<string> => {
  const { world, seed, breaches, document } = fuzz
  await sendAll(fuzz)
  refute(breaches.answer, seed)
  if (fuzz.overloads * 1000 > fuzz.sent) {
    throw new Error(`${fuzz.overloads} of ${fuzz.sent} requests met overload`)
  }
  if (!(await isAlive(world.target))) throw new Error('the service no longer answers its probes')
  const lost = await lostCallers(world)
  if (lost.length > 0) {
    throw new Error(`the sessions of ${lost.join(', ')} ended: later requests proved nothing`)
  }
  const reached = `${fuzz.operations.size} of ${document.operations.length} operations`
  return `seed ${seed}: ${fuzz.sent} requests to ${reached}; ${countsOf(fuzz.statuses)}; ${fuzz.overloads} met overload, ${fuzz.cutOff} too large ones were cut off; alive and ready afterwards`
}

const words: Record<Exclude<Charge, 'answer'>, string> = {
  status: 'malformed and extreme input gets only the statuses that the operation declares',
  envelope: 'malformed and extreme input is answered in the envelope',
  trace: 'every answer to it has one trace id in header and envelope',
}

const proveSpeed = async ({ slow, slowest, sent }: Fuzz): Promise<string> => {
  const text = `the slowest of ${sent} took ${Math.round(slowest.ms)} ms: ${slowest.what.slice(0, 160)}`
  if (slow > 0) throw new Error(`${slow} took ${slowMs} ms or more; ${text}`)
  return text
}

const proveAll = async (fuzz: Fuzz, record: Prove): Promise<void> => {
  const { world, seed, breaches, journal } = fuzz
  const { root } = world.target
  const had = await before(root, world.home)
  await record('no input makes the service fail', () => proveAnswers(fuzz))
  for (const charge of charges) {
    if (charge === 'answer') continue
    await record(words[charge], async () => {
      refute(breaches[charge], seed)
      return `${fuzz.sent} answers`
    })
  }
  await record('no input takes a second or more', () => proveSpeed(fuzz))
  await record('after malformed and extreme input exactly the acknowledged objects exist', () =>
    proveThings(root, world.home, had, journal),
  )
  await record(
    'the audit log has each change among malformed and extreme input once, and no refused request',
    () => proveLog(root, world.home, had, journal),
  )
}

const proveAt = async (target: Target, record: Prove, names?: Names): Promise<void> => {
  const requests = target.short ? 2000 : 20_000
  const fuzz = await openFuzz(target, { requests, seed: seedOf(), ...(names && { names }) })
  try {
    await proveAll(fuzz, record)
  } finally {
    await fuzz.close()
  }
}

/** A service of the proof's own asks a DNS server of the proof about domains. */
const proveAtOwn = async ({ kind, short }: Target, record: Prove): Promise<void> => {
  const names = await openNames()
  const stores = await ownStores(kind)
  const target = await ownTarget({ ...stores, env: { ...stores.env, ...names.env } }, short)
  try {
    await proveAt({ ...target, kind }, record, names)
  } finally {
    await target.close()
    await names.stop()
  }
}

const prove = (target: Target, record: Prove): Promise<void> =>
  target.kind === 'given' ? proveAt(target, record) : proveAtOwn(target, record)

export const input: Suite = { name: 'input', kinds: ['embedded', 'services', 'given'], prove }
