import { abortable } from '../waiting.ts'
import type { Tokens } from './storage.ts'
import type { SessionHolder } from './session.ts'

/** An access token that the application holds, or a function that gives it for each call. */
export type GivenToken = string | (() => string | Promise<string>)

/**
 * The session of a client with an `accessToken`. It stores nothing and renews nothing. Throws a TypeError for an
 * empty token.
 */
export const createGivenSession = (given: GivenToken): SessionHolder => {
  if (given === '') throw new TypeError('accessToken is empty')
  const held = async (): Promise<Tokens> => {
    const accessToken = typeof given === 'function' ? await given() : given
    if (!accessToken) throw new TypeError('the function accessToken gave no token')
    return { accessToken, refreshToken: '', expiresAt: Infinity }
  }
  const refuse = () =>
    Promise.reject(
      new TypeError('A client with an accessToken neither signs in nor out: its application does'),
    )
  return {
    held,
    current: (signal) => abortable(held(), signal),
    renew: async () => undefined,
    open: refuse,
    end: refuse,
    close: () => undefined,
  }
}
