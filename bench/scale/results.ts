import { spreadOf, type Spread } from '../figures.ts'
import type { ArchiveFigures } from './archives.ts'
import type { CatalogueFigures } from './catalogue.ts'
import type { DeletionFigures } from './deletion.ts'
import type { ExportMeasurement } from './exports.ts'
import type { Ladder } from './ladder.ts'
import type { MixedFigures } from './mixed.ts'
import type { Neighbour, NeighbourRounds } from './neighbour.ts'
import type { About } from '../results.ts'
import type { ReadMeasurement, ReadPlan } from './reads.ts'
import type { SeedingFigures } from './seeding.ts'

/** The measurements of a run, round by round; all tables are computed from it. A part that did not run is undefined. */
export interface ScaleResults extends About {
  plan: ReadPlan & { ladder: Ladder }
  seeding: SeedingFigures
  reads: ReadMeasurement[] | undefined
  exports: ExportMeasurement[] | undefined
  mixed: MixedFigures | undefined
  deletion: DeletionFigures | undefined
  catalogue: CatalogueFigures | undefined
  archives: ArchiveFigures | undefined
  /** Milliseconds until a change of permissions applied at the other replica. */
  replicaDelays: number[] | undefined
}

type Field = 'p50Ms' | 'p99Ms'

/** Returns the rounds of an operation in one tenant of the ladder; empty when it was not measured. */
export const samplesOf = ({ reads = [] }: ScaleResults, operation: string, rung: number) =>
  reads.find((one) => one.operation === operation && one.rung === rung)?.samples ?? []

const lastRung = ({ plan }: ScaleResults): number => plan.ladder.rungs.length - 1

/** Counts answers other than 200 over all rounds and tenants: a failed operation cannot be compared. */
export const failuresOf = ({ reads = [] }: ScaleResults, operation: string): number =>
  reads
    .filter((one) => one.operation === operation)
    .flatMap(({ samples }) => samples)
    .reduce((total, { failures }) => total + failures, 0)

/** Divides the values of one series by those of another in the same round. */
const ratioOf = (values: number[], others: number[]): Spread | undefined =>
  values.length > 0 && others.length > 0
    ? spreadOf(values.map((value, round) => value / (others[round] ?? value)))
    : undefined

/** Divides the time in the largest tenant by the time in the smallest one. */
export const growthOf = (results: ScaleResults, operation: string, field: Field): Spread | undefined => {
  const [large, first] = [lastRung(results), 0].map((rung) =>
    samplesOf(results, operation, rung).map((sample) => sample[field]),
  )
  return ratioOf(large ?? [], first ?? [])
}

/** Divides the time of one operation by that of another, both in the largest tenant. */
export const comparisonOf = (
  results: ScaleResults,
  operation: string,
  other: string,
  field: Field,
): Spread | undefined => {
  const [these, those] = [operation, other].map((name) =>
    samplesOf(results, name, lastRung(results)).map((sample) => sample[field]),
  )
  return ratioOf(these ?? [], those ?? [])
}

const p99Of = (rounds: Neighbour[], what: keyof Neighbour): Spread =>
  spreadOf(rounds.map((round) => round[what].p99Ms))

/** Returns p99 of all answers together, with the range of the rounds. */
export const neighbourOf = ({ together, rounds }: NeighbourRounds, what: keyof Neighbour): Spread => ({
  ...p99Of(rounds, what),
  median: together[what].p99Ms,
})

/** Divides p99 of reads beside a search by that beside a cheap request. */
export const mixedRatioOf = ({ besideSearch, besideCheap }: MixedFigures): Spread | undefined => {
  const [these, those] = [besideSearch, besideCheap].map((rounds) => rounds.map(({ reads }) => reads.p99Ms))
  return ratioOf(these ?? [], those ?? [])
}
