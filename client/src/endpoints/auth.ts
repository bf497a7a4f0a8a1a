import { ApiError } from '../errors.ts'
import { errorCodes } from '../error-codes.ts'
import { path, type Api } from '../api.ts'
import type {
  AcceptInvitation,
  AuthOptions,
  ChangeEmail,
  ChangePassword,
  DeleteAccount,
  ForgotPassword,
  InvitationFound,
  KeySet,
  Login,
  LookUpInvitation,
  Membership,
  LoginFactor,
  PasskeyLogin,
  PasskeyRequestOptions,
  Register,
  Registration,
  ResetPassword,
  SecondStep,
  ServerMetadata,
  SwitchTenant,
  TokenPair,
  VerifyEmail,
  UserSession,
} from '../schema.ts'
import type { CallOptions } from '../send.ts'
import type { SessionHolder } from '../session/session.ts'
import type { Tokens } from '../session/storage.ts'
import { sessionOf, type Session } from '../session/tokens.ts'
import { abortable, within } from '../waiting.ts'

const signedOut = () =>
  new ApiError({
    status: 401,
    code: errorCodes.refreshTokenInvalid,
    reason: 'refreshTokenInvalid',
    message: 'Nobody is signed in',
  })

/** The outcome of `login` and `acceptInvitation`: the tokens of a session, or the second step that the account asks for. */
export type LoginResult = ({ needsFactor: false } & Tokens) | ({ needsFactor: true } & SecondStep)

/** The outcome of an attempt to open a session. Throws what the attempt throws, except for the request for a second step. */
const resultOf = async (opening: Promise<Tokens>): Promise<LoginResult> => {
  try {
    return { needsFactor: false, ...(await opening) }
  } catch (err) {
    if (!(err instanceof ApiError) || err.reason !== 'factorRequired') throw err
    return { needsFactor: true, ...(err.data as SecondStep) }
  }
}

/** Signing in, the sessions of the user, their password and e-mail. */
export const authEndpoints = ({ ask }: Api, session: SessionHolder, timeoutMs: number) => {
  const timed = <T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    within(options.timeoutMs ?? timeoutMs, options.signal, ({ signal }) => work(signal))

  const open = (below: string, body: object, options: CallOptions = {}): Promise<Tokens> =>
    timed(options, async (signal) => {
      const askedAt = Date.now()
      const pair = await ask<TokenPair>('POST', below, { body, isPublic: true }, { ...options, signal })
      return abortable(session.open(pair, askedAt), signal)
    })

  return {
    /**
     * Tells whether registration is open, and whether the first account becomes platform administrator. Works without a
     * session.
     *
     * @throws ApiError 429 `tooManyRequests`
     * @example
     * const { open, first_becomes_admin } = await client.auth.registration()
     * console.log(first_becomes_admin ? 'create the first account' : open ? 'welcome' : 'ask an administrator')
     */
    registration: (options?: CallOptions) =>
      ask<Registration>('GET', '/auth/registration', { isPublic: true }, options),

    /**
     * Registers an account in the built-in tenant, and signs it in. Like `login` and `refresh`, it gives the tokens, which
     * the client keeps itself.
     *
     * @throws ApiError 400 `invalidInput`; 403 `registrationClosed`; 409 `emailTaken`, `usernameTaken`; 429
     * `tooManyRequests`; 503 `overloaded`; `storage`
     * @example
     * await client.auth.register({ email: 'ada@example.com', username: 'ada', password: 'correct horse battery' })
     */
    register: (body: Register, options?: CallOptions) => open('/auth/register', body, options),

    /**
     * Signs in. All later requests carry this session's token. Where the account has a second factor, the right password gives
     * `needsFactor` with a challenge for `loginWithFactor`, and no session yet.
     *
     * @throws ApiError 400 `invalidInput`; 401 `credentialsWrong`, `accountDisabled`, `tenantSuspended`; 429
     * `tooManyFailures` after ten failures in 15 minutes, with `retryAfterSeconds`, or `tooManyRequests`; 503 `overloaded`;
     * `storage`
     * @example
     * const result = await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
     * if (result.needsFactor) console.log('Now give one of', result.methods)
     */
    login: (body: Login, options?: CallOptions): Promise<LoginResult> =>
      resultOf(open('/auth/login', body, options)),

    /**
     * Signs in with the second factor, after `login`: a code of an authenticator app, a recovery code, or the answer of a
     * passkey to `passkey_options`. Give exactly one of them.
     *
     * @throws ApiError 400 `invalidInput`; 401 `factorWrong`, `challengeDead` after 5 minutes or 5 wrong answers,
     * `accountDisabled`, `tenantSuspended`; 429 `tooManyFailures`, `tooManyCodes`, `tooManyRequests`; `storage`
     * @example
     * const result = await client.auth.login({ email: 'ada@example.com', password: 'correct horse battery' })
     * if (result.needsFactor) await client.auth.loginWithFactor({ challenge: result.challenge, code: '492039' })
     */
    loginWithFactor: (body: LoginFactor, options?: CallOptions) => open('/auth/login/factor', body, options),

    /**
     * Begins a sign-in with a passkey alone: options for `navigator.credentials.get`, in their JSON form. They live 5 minutes.
     *
     * @throws ApiError 403 `passkeysOff`; 429 `tooManyRequests`
     * @example
     * const { challenge } = await client.auth.beginPasskeyLogin()
     * console.log(challenge)
     */
    beginPasskeyLogin: (options?: CallOptions) =>
      ask<PasskeyRequestOptions>('POST', '/auth/passkey/options', { isPublic: true }, options),

    /**
     * Signs in with the answer of a passkey to `beginPasskeyLogin`. Fields of it that the service does not know are ignored.
     *
     * @throws ApiError 400 `invalidInput`; 401 `factorWrong`, `challengeDead`, `accountDisabled`, `tenantSuspended`; 403
     * `passkeysOff`; 429 `tooManyRequests`; `storage`
     * @example
     * const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await client.auth.beginPasskeyLogin())
     * const passkey = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
     * await client.auth.loginWithPasskey({ response: passkey.toJSON() as AuthenticationResponseJSON })
     */
    loginWithPasskey: (body: PasskeyLogin, options?: CallOptions) => open('/auth/passkey', body, options),

    /**
     * Renews the tokens now. The client also does so by itself, once for all requests and tabs: shortly before the access
     * token ends (2 hours), and when the service refuses it.
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
     * Lists the sessions of the signed-in person in all their tenants, the last used first: at most 200.
     *
     * @throws ApiError 403 `permissionMissing` for a key
     * @example
     * const sessions = await client.auth.sessions()
     * console.log(sessions.find((one) => one.is_current)?.last_used_at)
     */
    sessions: (options?: CallOptions) => ask<UserSession[]>('GET', '/auth/sessions', {}, options),

    /**
     * Ends one of the own sessions, and those of other tenants that belong to the same sign-in.
     *
     * @throws ApiError 400 `invalidInput`; 403 `permissionMissing` for a key; 404 `sessionUnknown`
     * @example
     * for (const { id, ip } of await client.auth.sessions()) {
     *   if (ip === '203.0.113.7') await client.auth.endSession(id)
     * }
     */
    endSession: (id: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/auth/sessions/${id}`, {}, options),

    /**
     * Ends all own sessions but the current one.
     *
     * @throws ApiError 403 `permissionMissing` for a key
     * @example
     * await client.auth.endOtherSessions()
     */
    endOtherSessions: (options?: CallOptions) => ask<null>('DELETE', '/auth/sessions', {}, options),

    /**
     * Reads from the token, without a request, which user is signed in; undefined when nobody is. Only the next request
     * shows whether the session is still valid.
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
     * Changes the user's own password, and ends every other session of the person, in all tenants.
     *
     * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 429 `tooManyFailures` with `retryAfterSeconds`; 503
     * `overloaded`
     * @example
     * await client.auth.changePassword({ old_password: 'correct horse battery', new_password: 'a fine long password' })
     */
    changePassword: (body: ChangePassword, options?: CallOptions) =>
      ask<null>('POST', '/password', { body }, options),

    /**
     * Tells the ways to an account that are on: registration, resetting a password, e-mail, passkeys. Works without a
     * session.
     *
     * @throws ApiError 429 `tooManyRequests`
     * @example
     * const { password_reset } = await client.auth.options()
     * if (password_reset) console.log('Forgot your password?')
     */
    options: (options?: CallOptions) => ask<AuthOptions>('GET', '/auth/options', { isPublic: true }, options),

    /**
     * Mails a link to a new password. The answer does not tell whether the address has an account. The link leads to the
     * console, with its token after `#token=`, and lives 30 minutes.
     *
     * @throws ApiError 400 `invalidInput`; 429 `tooManyRequests`; 503 `mailOff`
     * @example
     * await client.auth.forgotPassword({ email: 'ada@example.com' })
     */
    forgotPassword: (body: ForgotPassword, options?: CallOptions) =>
      ask<null>('POST', '/auth/password/forgot', { body, isPublic: true }, options),

    /**
     * Sets a new password by the token of a mailed link, and ends every session of the account.
     *
     * @throws ApiError 400 `linkDead`, `invalidInput`; 429 `tooManyRequests`; 503 `overloaded`
     * @example
     * const token = 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k'
     * await client.auth.resetPassword({ token, new_password: 'a fine long password' })
     */
    resetPassword: (body: ResetPassword, options?: CallOptions) =>
      ask<null>('POST', '/auth/password/reset', { body, isPublic: true }, options),

    /**
     * Confirms the user's own e-mail by the token of a mailed link, also a changed one. The first link that is confirmed
     * ends every other session of the account.
     *
     * @throws ApiError 400 `linkDead`; 403 `linkOfAnother` in a session of another account, where the link stays; 409
     * `emailTaken`
     * @example
     * await client.auth.verifyEmail({ token: 'q0yqYQkOmcVn1iM6Y4TLsfjZ7-1TtY2nYw0r5Q3mF0k' })
     */
    verifyEmail: (body: VerifyEmail, options?: CallOptions) =>
      ask<null>('POST', '/auth/email/verify', { body }, options),

    /**
     * Mails the link that confirms the user's own e-mail again. It lives 24 hours.
     *
     * @throws ApiError 503 `mailOff`
     * @example
     * await client.auth.sendVerification()
     */
    sendVerification: (options?: CallOptions) => ask<null>('POST', '/auth/email/verification', {}, options),

    /**
     * Mails a link to another address, which becomes the user's own once `verifyEmail` got its token. The answer does not
     * tell whether the address is taken.
     *
     * @throws ApiError 400 `invalidInput`; 401 `oldPasswordWrong`; 429 `tooManyFailures` with `retryAfterSeconds`; 503
     * `mailOff`, `overloaded`
     * @example
     * await client.auth.changeEmail({ email: 'ada@example.org', password: 'correct horse battery' })
     */
    changeEmail: (body: ChangeEmail, options?: CallOptions) =>
      ask<null>('POST', '/auth/email', { body }, options),

    /**
     * Tells the holder of an invitation's link about it: tenant, address, and whether the address has an account. Works
     * without a session.
     *
     * @throws ApiError 400 `linkDead`; 429 `tooManyRequests`
     * @example
     * const token = location.hash.slice('#token='.length)
     * const { tenant, account_exists } = await client.auth.lookUpInvitation({ token })
     * console.log(tenant.name, account_exists ? 'asks for the password' : 'asks for a new password')
     */
    lookUpInvitation: (body: LookUpInvitation, options?: CallOptions) =>
      ask<InvitationFound>('POST', '/auth/invitations/lookup', { body, isPublic: true }, options),

    /**
     * Accepts an invitation and signs in to its tenant; the client keeps the tokens. A signed-in user accepts for the own
     * account, without a password. By the password, an account with a second factor joins the tenant and gets `needsFactor`,
     * as from `login`. No error spends the link.
     *
     * @throws ApiError 400 `linkDead`, `newPasswordNeeded`, `invalidInput`; 401 `credentialsWrong`; 403
     * `invitationOfAnother`, `tenantDisabled`; 409 `usernameTaken`, `emailTaken`, `accountUnowned`; 429 `tooManyFailures`;
     * `storage`
     * @example
     * const token = location.hash.slice('#token='.length)
     * const answer = { token, username: 'ada', password: 'correct horse battery' }
     * const result = await client.auth.acceptInvitation(answer)
     * if (result.needsFactor) console.log('Joined. Now give one of', result.methods)
     */
    acceptInvitation: (body: AcceptInvitation, options: CallOptions = {}): Promise<LoginResult> =>
      resultOf(
        timed(options, async (signal) => {
          const held = await abortable(session.held(), signal)
          const askedAt = Date.now()
          const below = '/auth/invitations/accept'
          const input = { body, isPublic: held === undefined }
          const pair = await ask<TokenPair>('POST', below, input, { ...options, signal })
          return abortable(session.open(pair, askedAt), signal)
        }),
      ),

    /**
     * Lists the tenants of the signed-in person, by name: at most 1,000.
     *
     * @throws ApiError 403 `permissionMissing` for a key
     * @example
     * const memberships = await client.auth.memberships()
     * console.log(memberships.map(({ tenant, is_current }) => [tenant.name, is_current]))
     */
    memberships: (options?: CallOptions) => ask<Membership[]>('GET', '/auth/memberships', {}, options),

    /**
     * Signs in to another tenant of the person; the client keeps the new tokens instead of the old ones. Signing out ends
     * both sessions.
     *
     * @throws ApiError 403 `membershipDisabled`; 404 `membershipUnknown`; `storage`
     * @example
     * const [first] = (await client.auth.memberships()).filter(({ is_current }) => !is_current)
     * if (first) await client.auth.switchTenant({ tenant_id: first.tenant.id })
     */
    switchTenant: (body: SwitchTenant, options: CallOptions = {}): Promise<Tokens> =>
      timed(options, async (signal) => {
        const askedAt = Date.now()
        const pair = await ask<TokenPair>('POST', '/auth/switch', { body }, { ...options, signal })
        return abortable(session.open(pair, askedAt), signal)
      }),

    /**
     * Leaves a tenant: ends the membership and its sessions. In the current tenant that signs the person out.
     *
     * @throws ApiError 400 `lastMembership`, `lastPlatformAdmin`; 404 `membershipUnknown`
     * @example
     * await client.auth.leaveTenant('3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b')
     */
    leaveTenant: (tenantId: string, options?: CallOptions) =>
      ask<null>('DELETE', path`/auth/memberships/${tenantId}`, {}, options),

    /**
     * Erases the signed-in person: the account, and the user in every tenant.
     *
     * @throws ApiError 400 `lastPlatformAdmin`; 401 `oldPasswordWrong`; 429 `tooManyFailures` with `retryAfterSeconds`
     * @example
     * await client.auth.deleteAccount({ password: 'correct horse battery' })
     */
    deleteAccount: (body: DeleteAccount, options?: CallOptions) =>
      ask<null>('POST', '/auth/account/delete', { body }, options),

    /**
     * Reads the public keys (JWKS) with which your own services verify access tokens. Cache them for at most 5 minutes.
     *
     * @throws ApiError `network`, `timeout`, 503 `databaseUnavailable`
     * @example
     * const { keys } = await client.auth.keySet()
     * console.log(keys.map(({ kid, alg }) => [kid, alg]))
     */
    keySet: (options?: CallOptions) =>
      ask<KeySet>('GET', '/.well-known/jwks.json', { isPublic: true, bare: 'keys' }, options),

    /**
     * Reads issuer, address of the keys and algorithms of access tokens (RFC 8414), for the settings of a verifier.
     *
     * @throws ApiError `network`, `timeout`
     * @example
     * const { issuer, jwks_uri } = await client.auth.serverMetadata()
     * console.log(issuer, jwks_uri)
     */
    serverMetadata: (options?: CallOptions) =>
      ask<ServerMetadata>(
        'GET',
        '/.well-known/oauth-authorization-server',
        { isPublic: true, bare: 'issuer' },
        options,
      ),
  }
}
