import { abortable } from '../waiting.ts'
import type { Tokens } from './storage.ts'
import type { ClientSession } from './session.ts'

/** An access token that the application holds, or a function that gives it for each call. */
export type GivenToken = string | (() => string | Promise<string>)

/**
 * The session of a client with an `accessToken`. It stores nothing and renews nothing. Throws a TypeError for an
 * empty token.
 */
export const createGivenSession = (given: GivenToken): ClientSession => {
  if (given === '') throw new TypeError('accessToken is empty')
  const tokens = async (): Promise<Tokens> => {
    const accessToken = typeof given === 'function' ? await given() : given
    if (!accessToken) throw new TypeError('the function accessToken gave no token')
    return { accessToken, refreshToken: '', expiresAt: Infinity }
  }
  const refuse = () =>
    Promise.reject(
      new TypeError('A client with an accessToken neither signs in nor out: its application does'),
    )
  return {
    tokens,
    current: (signal) => abortable(tokens(), signal),
    renew: async () => undefined,
    open: refuse,
    end: refuse,
    close: () => undefined,
  }
}
