/** Proof of work against robots. A chunk of its own: most installations ask for none. */
import { solveChallengeWorkers, type Challenge } from 'altcha/lib'
import Solver from 'altcha/workers/pbkdf2?worker'
import { send } from './send.ts'

/** The browser cannot solve it: it is old, or the page is not encrypted. */
class WorkFailed extends Error {
  override readonly name = 'WorkFailed'
}

/** A phone needs about a second with one of them. */
const workers = 1

/** Solves a new challenge. Resolves to the field `altcha`. */
export const work = async (): Promise<string> => {
  const challenge = await send<Challenge>('GET', '/api/v1/auth/challenge')
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: workers,
    createWorker: () => new Solver(),
  }).catch((cause: unknown) => {
    throw new WorkFailed('No solution', { cause })
  })
  if (!solution) throw new WorkFailed('No solution in time')
  return btoa(JSON.stringify({ challenge, solution }))
}
