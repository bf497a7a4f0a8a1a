/** Solves challenges of proof of work as ALTCHA's own client does. */
import { pbkdf2, solveChallenge, type Challenge } from 'altcha/lib'

/** The value of the field `altcha`. */
export const packWork = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64')

/** Solves a challenge. Throws if it has no solution from this counter on. */
export const solveWork = async (challenge: Challenge, counterStart = 0) => {
  const solution = await solveChallenge({ challenge, deriveKey: pbkdf2.deriveKey, counterStart })
  if (!solution) throw new Error('the challenge has no solution')
  return { challenge, solution }
}
