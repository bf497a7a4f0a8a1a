import { setTimeout as sleep } from 'node:timers/promises'
import { request, type Session } from '../../../lab/client.ts'
import { quantile, spread } from '../../figures.ts'

/** Reads at the pace of people at work, and a probe every 50 ms, during the rest of a proof. */
export interface Readings {
  reads: number[]
  probes: number[]
  /** Answers other than 200. */
  refusals: string[]
}

const readers = 6
const probeEveryMs = 50
/** The limit for a read, also under load. */
const readP99Ms = 100

const readOnce = async (paths: string[], turn: number, session: Session, into: Readings): Promise<void> => {
  const path = paths[turn % paths.length] ?? ''
  const answer = await session.call('GET', path).catch((err: unknown) => err as Error)
  if (answer instanceof Error) into.refusals.push(`${path}: ${answer.message}`)
  else if (answer.status === 200) into.reads.push(answer.ms)
  else into.refusals.push(`${path}: ${answer.status} ${answer.text.slice(0, 80)}`)
}

const probeOnce = async (session: Session, into: Readings): Promise<void> => {
  const answer = await request(session.base, 'GET', '/healthz').catch((err: unknown) => err as Error)
  if (answer instanceof Error) into.refusals.push(`/healthz: ${answer.message}`)
  else if (answer.status === 200) into.probes.push(answer.ms)
  else into.refusals.push(`/healthz: ${answer.status}`)
}

const readUntil = async (isOver: () => boolean, session: Session, into: Readings): Promise<void> => {
  const paths = ['/profile', `/users/${session.userId}`, '/users?page_size=20', '/rbac/roles']
  for (let turn = 0; !isOver(); turn += 1) {
    await readOnce(paths, turn, session, into)
    await sleep(5)
  }
}

const probeUntil = async (isOver: () => boolean, session: Session, into: Readings): Promise<void> => {
  while (!isOver()) {
    await Promise.all([probeOnce(session, into), sleep(probeEveryMs)])
  }
}

/** Reads and probes while `work` runs. The sessions read one after another. */
export const readDuring = async <T>(
  sessions: [Session, ...Session[]],
  work: () => Promise<T>,
): Promise<[T, Readings]> => {
  const into: Readings = { reads: [], probes: [], refusals: [] }
  let isDone = false
  const isOver = () => isDone
  const reading = [
    probeUntil(isOver, sessions[0], into),
    ...Array.from({ length: readers }, (_, n) =>
      readUntil(isOver, sessions[n % sessions.length] ?? sessions[0], into),
    ),
  ]
  try {
    return [await work(), into]
  } finally {
    isDone = true
    await Promise.all(reading)
  }
}

/** Measures reads with no other load, to distinguish a busy machine from a busy service. */
export const readAlone = async (sessions: [Session, ...Session[]]): Promise<string> => {
  const [, { reads }] = await readDuring(sessions, () => sleep(1500))
  return spread(reads)
}

/** Returns the breaches of the promises about reads and probes. */
export const readBreaches = ({ reads, refusals }: Readings): string[] => {
  const slow = quantile(reads, 0.99) >= readP99Ms ? [`reads are too slow: ${spread(reads)}`] : []
  return [...refusals, ...slow, ...(reads.length < 100 ? [`only ${reads.length} reads`] : [])]
}

export const shownReadings = ({ reads, probes }: Readings): string =>
  `${reads.length} reads ${spread(reads)}; ${probes.length} probes all 200, ${spread(probes)}`
