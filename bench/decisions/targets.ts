import { ranged, type Spread } from '../figures.ts'
import type { Verdict } from '../tables.ts'
import { addedByGuard, byProfile, type DecisionResults } from './results.ts'

const limits = { byProfile: 1.2, guardMicros: 60 }

const atMost = (
  title: string,
  measured: Spread | undefined,
  limit: { most: number; unit: string },
): Verdict => ({
  target: `${title}: at most ${limit.most} ${limit.unit}`,
  measured: measured ? `${ranged(measured)} ${limit.unit}` : 'failed',
  met: measured !== undefined && measured.median <= limit.most,
})

/** Judges the processor time of a question, and of the guard. */
export const judgeDecisions = (results: DecisionResults): Verdict[] => {
  const ofProfile = { most: limits.byProfile, unit: '× own profile' }
  return [
    atMost('check about oneself', byProfile(results, 'own'), ofProfile),
    atMost('check by a key about others', byProfile(results, 'others'), ofProfile),
    atMost('guarded route, above an unprotected one', addedByGuard(results), {
      most: limits.guardMicros,
      unit: 'µs',
    }),
  ]
}
