import { ApiError } from '../errors.ts'
import { errorCodes } from '../error-codes.ts'
import type { Api } from '../api.ts'
import type { ChangePassword, KeySet, Login, Register, Registration, TokenPair } from '../schema.ts'
import type { CallOptions } from '../send.ts'
import type { SessionHolder } from '../session.ts'
import type { Tokens } from '../storage.ts'
import { sessionOf, type Session } from '../tokens.ts'
import { abortable, within } from '../waiting.ts'

const signedOut = () =>
  new ApiError({
    status: 401,
    code: errorCodes.refreshTokenInvalid,
    reason: 'refreshTokenInvalid',
    message: 'Nobody is signed in',
  })

/** Signing in and out, and the own password. */
export const authEndpoints = ({ ask }: Api, session: SessionHolder, timeoutMs: number) => {
  const timed = <T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    within(options.timeoutMs ?? timeoutMs, options.signal, ({ signal }) => work(signal))

  const open = (path: string, body: Login | Register, options: CallOptions = {}): Promise<Tokens> =>
    timed(options, async (signal) => {
      const askedAt = Date.now()
      const pair = await ask<TokenPair>('POST', path, { body, isPublic: true }, { ...options, signal })
      return abortable(session.open(pair, askedAt), signal)
    })

  return {
    /**
     * Tells whether anybody may register, and whether the first to do so becomes platform administrator. For a page
     * before the sign-in; needs none.
     *
     * @throws ApiError 429 `tooManyRequests`
     * @example
     * const { open, first_becomes_admin } = await client.auth.registration()
     * console.log(first_becomes_admin ? 'nobody is here yet' : open ? 'welcome' : 'ask an administrator')
     */
    registration: (options?: CallOptions) =>
      ask<Registration>('GET', '/auth/registration', { isPublic: true }, options),

    /**
     * Registers an account in the built-in tenant, and signs it in: gives the tokens, as `login` and `refresh` do. There is
     * no need to keep them.
     *
     * @throws ApiError 400 `invalidInput`; 403 `registrationClosed`; 409 `emailTaken`, `usernameTaken`; 429
     * `tooManyRequests`; 503 `overloaded`; `storage`
     * @example
     * await client.auth.register({ email: 'ada@example.com', username: 'ada', password: 'correct horse battery' })
     */
    register: (body: Register, options?: CallOptions) => open('/auth/register', body, options),

    /**
     * Signs in: from here on requests carry this session's token.
     *
     * @throws ApiError 400 `invalidInput`; 401 `credentialsWrong`, `accountDisabled`, `tenantSuspended`; 429
     * `tooManyFailures` after ten failures in 15 minutes, with `retryAfterSeconds`, or `tooManyRequests`; 503 `overloaded`;
     * `storage`
     * @example
     * await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
     */
    login: (body: Login, options?: CallOptions) => open('/auth/login', body, options),

    /**
     * Renews the tokens now. There is no need to: it is done when they are about to end (2 hours), and when the service
     * refuses them, once for all requests and tabs.
     *
     * @throws ApiError 401 `refreshTokenInvalid` when the session has ended, `tenantSuspended` while the tenant is disabled;
     * 429 `tooManyRequests`; `storage`
     * @example
     * const { expiresAt } = await client.auth.refresh()
     * console.log(new Date(expiresAt))
     */
    refresh: (options: CallOptions = {}): Promise<Tokens> =>
      timed(options, async (signal) => {
        const held = await abortable(session.held(), signal)
        const tokens = held && (await session.renew(held, signal))
        if (!tokens) throw signedOut()
        return tokens
      }),

    /**
     * Forgets the tokens, here and in all tabs that share them, and calls `onSignedOut`. The API has no endpoint for it:
     * a token that somebody copied before stays valid until it ends (2 hours; a refresh token 7 days). To end every other
     * session of the account, change its password. A refresh that is under way does not bring the session back.
     *
     * @throws ApiError `storage`: what is stored may still be there
     * @example
     * await client.auth.signOut()
     */
    signOut: () => session.end(),

    /**
     * Who is signed in, as the token says, without a request; undefined when nobody is. Whether the session still stands
     * shows at the next request.
     *
     * @throws ApiError `storage`
     * @example
     * const session = await client.auth.session()
     * if (session) console.log(session.userId, session.tenantId)
     */
    session: async (): Promise<Session | undefined> => {
      const tokens = await session.held()
      return tokens && sessionOf(tokens)
    },

    /**
     * Changes the own password, and ends every other session of the account.
     *
     * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 429 `tooManyFailures` with `retryAfterSeconds`; 503
     * `overloaded`
     * @example
     * await client.auth.changePassword({ old_password: 'correct horse battery', new_password: 'a fine long password' })
     */
    changePassword: (body: ChangePassword, options?: CallOptions) =>
      ask<null>('POST', '/password', { body }, options),

    /**
     * Reads the public keys (JWKS) by which your own services verify access tokens. They may be cached for 5 minutes.
     *
     * @throws ApiError `network`, `timeout`, 503 `databaseUnavailable`
     * @example
     * const { keys } = await client.auth.keySet()
     * console.log(keys.map(({ kid, alg }) => [kid, alg]))
     */
    keySet: (options?: CallOptions) =>
      ask<KeySet>('GET', '/.well-known/jwks.json', { isPublic: true, bare: 'keys' }, options),
  }
}
