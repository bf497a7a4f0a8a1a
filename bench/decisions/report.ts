import { ranged, shown, spreadOf } from '../figures.ts'
import { failureOf } from '../results.ts'
import { align, verdictLines } from '../tables.ts'
import {
  addedByGuard,
  byProfile,
  measuredIn,
  microsOf,
  rowNames,
  rows,
  type DecisionResults,
} from './results.ts'
import { judgeDecisions } from './targets.ts'

const tableOf = (results: DecisionResults): string[][] => [
  ['', 'asked', 'CPU µs [range]', '× own profile', 'a second'],
  ...rowNames.flatMap((name) => {
    const found = measuredIn(results, name)
    if (!found) return []
    const { title, isRequest } = rows[name]
    const [micros, ratio] = [microsOf(results, name), byProfile(results, name)]
    const perSecond = spreadOf(found.samples.map((sample) => sample.perSecond)).median
    return [
      [
        title,
        isRequest ? 'by HTTP' : 'in process',
        micros ? ranged(spreadOf(micros)) : 'failed',
        ratio ? ranged(ratio) : '–',
        micros ? shown(perSecond) : '–',
      ],
    ]
  }),
]

const guardLine = (results: DecisionResults): string[] => {
  const added = addedByGuard(results)
  return added ? [`The guard adds ${ranged(added)} µs to a request of express, in the same round.`] : []
}

const failureLines = ({ skipped, measurements }: DecisionResults): string[] => [
  ...skipped.map(({ peer, reason }) => `Not measured: ${peer}: ${reason}`),
  ...measurements.flatMap((one) => {
    const failure = failureOf(one)
    return failure === undefined ? [] : [`Failed: ${one.contender}: ${failure}`]
  }),
]

/** The text that a run prints at its end. */
export const decisionReport = (results: DecisionResults): string =>
  [
    align(tableOf(results)),
    ...guardLine(results),
    ...failureLines(results),
    verdictLines(judgeDecisions(results)),
  ].join('\n\n')
