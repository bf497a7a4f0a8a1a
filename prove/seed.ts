import { randomInt } from 'node:crypto'

/** The seed of a generator. The same seed sends the same requests again. */
export const seedOf = (): number => Number(process.env['PROVE_SEED'] ?? randomInt(1_000_000_000))

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export const randomBy = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
