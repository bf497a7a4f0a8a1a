import { setTimeout as sleep } from 'node:timers/promises'

/** Far longer than a busy machine needs. It ends a wait that would never end. */
const patienceMs = 120_000

/** Repeats a question until its answer is not undefined. */
export const until = async <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> => {
  const end = performance.now() + patienceMs
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Error(`${what}: not within ${patienceMs / 1000} s`)
    await sleep(20)
  }
}
