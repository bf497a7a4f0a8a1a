import { spreadOf, type Spread } from '../figures.ts'
import type { Measurement } from '../measure.ts'
import { failureOf, type About } from '../results.ts'

/** The rows, in the order of the table. */
export const rows = {
  profile: { title: 'Tenantry: own profile', isRequest: true },
  own: { title: 'Tenantry: check about oneself', isRequest: true },
  others: { title: 'Tenantry: check by a key about others', isRequest: true },
  casbin: { title: 'casbin', isRequest: true },
  'casbin cached': { title: 'casbin, answers cached', isRequest: true },
  'casbin inside': { title: 'casbin', isRequest: false },
  'casbin cached inside': { title: 'casbin, answers cached', isRequest: false },
  'casl built inside': { title: 'CASL, ability built for each question', isRequest: false },
  'casl inside': { title: 'CASL, abilities of all users kept', isRequest: false },
  unprotected: { title: 'express: unprotected route', isRequest: true },
  protected: { title: 'express: route behind the guard', isRequest: true },
} as const

export type RowName = keyof typeof rows
export const rowNames = Object.keys(rows) as RowName[]

export interface DecisionMeasurement extends Pick<Measurement, 'samples' | 'error'> {
  contender: RowName
}

/** The measurements of the section, round by round. */
export interface DecisionResults extends About {
  plan: { rounds: number; seconds: number; connections: number }
  /** Peers that could not be set up, with the reason. */
  skipped: { peer: string; reason: string }[]
  measurements: DecisionMeasurement[]
}

export const measuredIn = (
  { measurements }: DecisionResults,
  name: RowName,
): DecisionMeasurement | undefined => measurements.find(({ contender }) => contender === name)

/** Processor time of a question in each round; undefined when it was not measured or an answer failed. */
export const microsOf = (results: DecisionResults, name: RowName): number[] | undefined => {
  const found = measuredIn(results, name)
  return found && failureOf(found) === undefined ? found.samples.map(({ cpuMicros }) => cpuMicros) : undefined
}

const compared = (
  results: DecisionResults,
  [name, other]: [RowName, RowName],
  compare: (micros: number, others: number) => number,
): Spread | undefined => {
  const [these, those] = [microsOf(results, name), microsOf(results, other)]
  return these && those && spreadOf(these.map((micros, round) => compare(micros, those[round] ?? NaN)))
}

/** Divides processor time of a question by that of Tenantry's own profile in the same round. */
export const byProfile = (results: DecisionResults, name: RowName): Spread | undefined =>
  compared(results, [name, 'profile'], (micros, others) => micros / others)

/** The microseconds that the guard adds to a request, in the same round. */
export const addedByGuard = (results: DecisionResults): Spread | undefined =>
  compared(results, ['protected', 'unprotected'], (micros, others) => micros - others)
