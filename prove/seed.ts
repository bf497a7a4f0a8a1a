import { randomInt } from 'node:crypto'

/** The seed of a generator. The same seed sends the same requests again. */
export const seedOf = (): number => Number(process.env['PROVE_SEED'] ?? randomInt(1_000_000_000))
