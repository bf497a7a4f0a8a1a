import { ApiError } from './errors.ts'
import { errorCodes } from './error-codes.ts'
import type { Api } from './api.ts'
import type {
  AcceptInvitation,
  ConfirmSignUp,
  CreateOrganization,
  EmailCodeLogin,
  Login,
  LoginFactor,
  PasskeyLogin,
  Register,
  SecondStep,
  SwitchTenant,
  TokenPair,
} from './schema.ts'
import type { CallOptions } from './send.ts'
import type { ClientSession } from './session/session.ts'
import type { Tokens } from './session/storage.ts'
import { sessionOf, type Session } from './session/tokens.ts'
import { abortable, within } from './waiting.ts'

const signedOut = () =>
  new ApiError({
    status: 401,
    code: errorCodes.refreshTokenInvalid,
    reason: 'refreshTokenInvalid',
    message: 'Nobody is signed in',
  })

/**
 * The outcome of `login`, `acceptInvitation` and `confirmSignUp`: the tokens of a session, or the second step that
 * the account requires.
 */
export type LoginResult = ({ needsFactor: false } & Tokens) | ({ needsFactor: true } & SecondStep)

/** Turns the error `factorRequired` into a result. Throws all other errors of the attempt. */
const resultOf = async (opening: Promise<Tokens>): Promise<LoginResult> => {
  try {
    return { needsFactor: false, ...(await opening) }
  } catch (err) {
    if (!(err instanceof ApiError) || err.reason !== 'factorRequired') throw err
    return { needsFactor: true, ...(err.data as SecondStep) }
  }
}

export const signInMethods = ({ ask }: Api, session: ClientSession, timeoutMs: number) => {
  const timed = <T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    within(options.timeoutMs ?? timeoutMs, options.signal, ({ signal }) => work(signal))

  const open = (below: string, body: object, options: CallOptions = {}): Promise<Tokens> =>
    timed(options, async (signal) => {
      const askedAt = Date.now()
      const pair = await ask<TokenPair>('POST', below, { body, isPublic: true }, { ...options, signal })
      return abortable(session.open(pair, askedAt), signal)
    })

  /** Opens another session. Sends the token of the present session if there is one. */
  const openNext = (below: string, body: object, options: CallOptions = {}): Promise<Tokens> =>
    timed(options, async (signal) => {
      const held = await abortable(session.tokens(), signal)
      const askedAt = Date.now()
      const input = { body, isPublic: held === undefined }
      const pair = await ask<TokenPair>('POST', below, input, { ...options, signal })
      return abortable(session.open(pair, askedAt), signal)
    })

  return {
    /**
     * Registers an account in the built-in tenant and signs it in. Returns the tokens, as `login` and `refresh` do;
     * the client keeps them itself.
     *
     * @throws ApiError 400 `invalidInput`; 403 `registrationClosed`; 409 `emailTaken`, `usernameTaken`; 429
     * `tooManyRequests`; 503 `overloaded`; `storage`
     * @example
     * await client.auth.register({ email: 'ada@example.com', username: 'ada', password: 'correct horse battery' })
     */
    register: (body: Register, options?: CallOptions) => open('/auth/register', body, options),

    /**
     * Signs in. Later requests carry the token of this session. For an account with a second factor, the right
     * password gives `needsFactor` and a challenge for `loginWithFactor`, but no session yet.
     *
     * @throws ApiError 400 `invalidInput`; 401 `credentialsWrong`, `accountDisabled`, `tenantSuspended`; 429
     * `tooManyFailures` after ten failures in 15 minutes, with `retryAfterSeconds`, or `tooManyRequests`; 503
     * `overloaded`; `storage`
     * @example
     * const result = await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
     * if (result.needsFactor) console.log('Now give one of', result.methods)
     */
    login: (body: Login, options?: CallOptions): Promise<LoginResult> =>
      resultOf(open('/auth/login', body, options)),

    /**
     * Signs in with the second factor, after `login`. Give exactly one of: a code of an authenticator app, a recovery
     * code, or the answer of a passkey to `passkey_options`.
     *
     * @throws ApiError 400 `invalidInput`; 401 `factorWrong`, `challengeDead` after 5 minutes or 5 wrong answers,
     * `accountDisabled`, `tenantSuspended`; 429 `tooManyFailures`, `tooManyCodes`, `tooManyRequests`; `storage`
     * @example
     * const result = await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
     * if (result.needsFactor) await client.auth.loginWithFactor({ challenge: result.challenge, code: '492039' })
     */
    loginWithFactor: (body: LoginFactor, options?: CallOptions) => open('/auth/login/factor', body, options),

    /**
     * Signs in with a code by mail, after `askEmailCode`. An account with a second factor gets `needsFactor`, as from
     * `login`.
     *
     * @throws ApiError 400 `invalidInput`; 401 `emailCodeWrong`, `wayClosed`, `accountDisabled`, `tenantSuspended`; 429
     * `tooManyCodes` after 20 wrong codes in an hour, `tooManyFailures`, `tooManyRequests`; `storage`
     * @example
     * const { challenge } = await client.auth.askEmailCode({ email: 'ada@example.com' })
     * await client.auth.loginWithEmailCode({ challenge, code: '492039' })
     */
    loginWithEmailCode: (body: EmailCodeLogin, options?: CallOptions): Promise<LoginResult> =>
      resultOf(open('/auth/login/email-code', body, options)),

    /**
     * Signs in with the answer of a passkey to `beginPasskeyLogin`. The service ignores unknown fields of the answer.
     *
     * @throws ApiError 400 `invalidInput`; 401 `factorWrong`, `challengeDead`, `accountDisabled`, `tenantSuspended`;
     * 403 `passkeysOff`; 429 `tooManyRequests`; `storage`
     * @example
     * const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await client.auth.beginPasskeyLogin())
     * const passkey = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
     * await client.auth.loginWithPasskey({ response: passkey.toJSON() as AuthenticationResponseJSON })
     */
    loginWithPasskey: (body: PasskeyLogin, options?: CallOptions) => open('/auth/passkey', body, options),

    /**
     * Renews the tokens now. The client also does so by itself, once for all requests and tabs. That happens shortly
     * before the access token ends (2 hours), and when the service refuses it.
     *
     * @throws ApiError 401 `refreshTokenInvalid` when the session has ended, `tenantSuspended` while the tenant is
     * disabled; 429 `tooManyRequests`; `storage`
     * @example
     * const { expiresAt } = await client.auth.refresh()
     * console.log(new Date(expiresAt))
     */
    refresh: (options: CallOptions = {}): Promise<Tokens> =>
      timed(options, async (signal) => {
        const held = await abortable(session.tokens(), signal)
        const tokens = held && (await session.renew(held, signal))
        if (!tokens) throw signedOut()
        return tokens
      }),

    /**
     * Reads the signed-in user from the token, without a request; undefined if no user is signed in. Only the next
     * request shows whether the session is still valid.
     *
     * @throws ApiError `storage`
     * @example
     * const session = await client.auth.session()
     * if (session) console.log(session.userId, session.tenantId)
     */
    session: async (): Promise<Session | undefined> => {
      const tokens = await session.tokens()
      return tokens && sessionOf(tokens)
    },

    /**
     * Accepts an invitation and signs in to its tenant; the client keeps the tokens. A signed-in user needs no
     * password and accepts for the own account. If an account with a second factor accepts by password, it joins the
     * tenant and gets `needsFactor`, as from `login`. No error spends the link.
     *
     * @throws ApiError 400 `linkDead`, `newPasswordNeeded`, `invalidInput`; 401 `credentialsWrong`; 403
     * `invitationOfAnother`, `tenantDisabled`; 409 `usernameTaken`, `emailTaken`, `accountUnowned`; 429
     * `tooManyFailures`; `storage`
     * @example
     * const token = location.hash.slice('#token='.length)
     * const answer = { token, username: 'ada', password: 'correct horse battery' }
     * const result = await client.auth.acceptInvitation(answer)
     * if (result.needsFactor) console.log('Joined. Now give one of', result.methods)
     */
    acceptInvitation: (body: AcceptInvitation, options?: CallOptions): Promise<LoginResult> =>
      resultOf(openNext('/auth/invitations/accept', body, options)),

    /**
     * Creates the organization of a mailed link (`signUp`) and signs in to it as its administrator; the client keeps
     * the tokens. It takes the same proofs as `acceptInvitation`. No error spends the link.
     *
     * @throws ApiError 400 `linkDead`, `newPasswordNeeded`, `invalidInput`; 401 `credentialsWrong`; 403 `signUpClosed`,
     * `organizationsFull`, `invitationOfAnother`; 409 `slugTaken`, `accountUnowned`; 429 `tooManyFailures`,
     * `tooManyRequests` with `retryAfterSeconds`; `storage`
     * @example
     * const token = location.hash.slice('#token='.length)
     * const result = await client.auth.confirmSignUp({ token, username: 'ada', password: 'correct horse battery' })
     * if (result.needsFactor) console.log('Created. Now give one of', result.methods)
     */
    confirmSignUp: (body: ConfirmSignUp, options?: CallOptions): Promise<LoginResult> =>
      resultOf(openNext('/auth/sign-up/confirm', body, options)),

    /**
     * Creates an organization of the person and signs in to it. The client replaces its tokens. Signing out ends both
     * sessions.
     *
     * @throws ApiError 400 `invalidInput`; 403 `signUpClosed`, `organizationsFull`, `ownerNeeded`; 409 `slugTaken`; 429
     * `tooManyRequests`; `storage`
     * @example
     * await client.auth.createOrganization({ organization: 'Analytical Engines', username: 'ada' })
     */
    createOrganization: (body: CreateOrganization, options?: CallOptions): Promise<Tokens> =>
      openNext('/auth/organizations', body, options),

    /**
     * Signs in to another tenant of the person. The client replaces its tokens. Signing out ends both sessions.
     *
     * @throws ApiError 403 `membershipDisabled`; 404 `membershipUnknown`; `storage`
     * @example
     * const [first] = (await client.auth.memberships()).filter(({ is_current }) => !is_current)
     * if (first) await client.auth.switchTenant({ tenant_id: first.tenant.id })
     */
    switchTenant: (body: SwitchTenant, options?: CallOptions): Promise<Tokens> =>
      openNext('/auth/switch', body, options),
  }
}

export const sessionMethods = (session: ClientSession) => ({
  /**
   * Signs out: forgets the tokens in all tabs that share them, calls `onSignedOut`, and ends the session at the
   * service. A running refresh does not bring the session back. If the service is unreachable for 5 seconds, the
   * tokens are forgotten nevertheless. A copied refresh token then stays valid for up to 7 days.
   *
   * @throws ApiError `storage`: the tokens may still be stored
   * @example
   * await client.session.logout()
   */
  logout: () => session.end(),
})
