/** Solves challenges of proof of work as ALTCHA's own client does. */
import { pbkdf2, solveChallenge, type Challenge } from 'altcha/lib'

/** The value of the field `altcha`. */
export const packWork = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64')

/** Solves a challenge. Throws if it has no solution. */
export const solveWork = async (challenge: Challenge) => {
  const solution = await solveChallenge({ challenge, deriveKey: pbkdf2.deriveKey })
  if (!solution) throw new Error('the challenge has no solution')
  return { challenge, solution }
}
