/**
 * The session of one client, as a state machine. `session.ts` triggers its transitions.
 *
 *                 signIn, found                       renew
 *   ┌───────────┐ ───────────────▶ ┌──────────┐ ────────────────────────▶ ┌──────────┐
 *   │ signedOut │                  │ signedIn │                           │ renewing │
 *   └───────────┘ ◀─────────────── └──────────┘ ◀──────────────────────── └──────────┘
 *         ▲             found        │      ▲     renewed, renewalEnded         │
 *         │                      end │      │ signIn, found                     │ end
 *         │                          ▼      │                                   │
 *         │          found         ┌──────────┐                                 │
 *         └─────────────────────── │  ended   │ ◀───────────────────────────────┘
 *                                  └──────────┘
 *
 * `signIn` and `found` also leave `renewing`; `signInFailed` goes back to the tokens before `signIn`. `ended` lasts
 * until the storage was read again: another tab may have signed in there. `found` calls `onSignedOut`.
 */
import type { ApiError } from '../errors.ts'
import type { Tokens } from './storage.ts'
import { isSameUser, sessionIdOf } from './tokens.ts'

export type SignedOutListener = (cause: ApiError | undefined) => void

/** Resolves to the tokens that are valid after the renewal; undefined if no user is signed in. */
export type Renewal = Promise<Tokens | undefined>

export type State =
  | { name: 'signedOut' }
  | { name: 'signedIn'; tokens: Tokens }
  | { name: 'renewing'; tokens: Tokens; renewal: Renewal }
  | { name: 'ended'; tokens: Tokens; cause: ApiError | undefined }

const signedOut = (): State => ({ name: 'signedOut' })
const signedIn = (tokens: Tokens): State => ({ name: 'signedIn', tokens })

export class States {
  #state = signedOut()
  #changes = 0
  /** Sessions that this client has ended or replaced. A renewal in another tab may write their tokens back. */
  readonly #endedSessions = new Set<string>()
  /** Access tokens whose refresh token this client has used. The storage may hold them until a write succeeds. */
  readonly #usedTokens = new Set<string>()
  readonly #onSignedOut: SignedOutListener

  constructor(onSignedOut: SignedOutListener) {
    this.#onSignedOut = onSignedOut
  }

  get state(): State {
    return this.#state
  }

  /** Counts the client's own changes. A read of the storage that began before a change is out of date. */
  get changes(): number {
    return this.#changes
  }

  holds(tokens: Tokens): boolean {
    return this.#held()?.accessToken === tokens.accessToken
  }

  /** The valid tokens, if the storage holds `stored`. */
  validTokens(stored: Tokens | undefined): Tokens | undefined {
    return stored && this.#isDead(stored) ? this.#held() : stored
  }

  /** After a successful sign-in. Returns the replaced tokens. */
  signIn(tokens: Tokens): Tokens | undefined {
    const replaced = this.#held()
    if (replaced) this.#endedSessions.add(sessionIdOf(replaced))
    this.#become(signedIn(tokens))
    return replaced
  }

  /** The storage refused the tokens of `signIn`. The previous session continues. */
  signInFailed(tokens: Tokens, replaced: Tokens | undefined): void {
    this.#endedSessions.add(sessionIdOf(tokens))
    if (replaced) this.#endedSessions.delete(sessionIdOf(replaced))
    if (this.holds(tokens)) this.#become(replaced ? signedIn(replaced) : signedOut())
  }

  /** A renewal begins. All requests with these tokens wait for it. */
  renew(tokens: Tokens, renewal: Renewal): void {
    if (this.holds(tokens)) this.#state = { name: 'renewing', tokens, renewal }
  }

  /** The service answered with new tokens. They are dropped if the session was ended or replaced meanwhile. */
  renewed(used: Tokens, tokens: Tokens): void {
    if (this.holds(used)) this.#become(signedIn(tokens))
    this.#usedTokens.add(used.accessToken)
  }

  /** The renewal has ended. Without new tokens, the old ones stay. */
  renewalEnded(renewal: Renewal): void {
    const state = this.#state
    if (state.name === 'renewing' && state.renewal === renewal) this.#state = signedIn(state.tokens)
  }

  /** The user signs out, or the service refused the renewal (`cause`). */
  end(tokens: Tokens, cause?: ApiError): void {
    const [id, held] = [sessionIdOf(tokens), this.#held()]
    this.#endedSessions.add(id)
    if (held && sessionIdOf(held) === id) this.#become({ name: 'ended', tokens: held, cause })
  }

  /** The storage was read, and `tokens` are valid. Notifies the application once if its user is no longer signed in. */
  found(tokens: Tokens | undefined): void {
    const before = this.#state
    if (tokens ? this.holds(tokens) : before.name === 'signedOut') return
    this.#state = tokens ? signedIn(tokens) : signedOut()
    if (before.name === 'signedOut' || isSameUser(before.tokens, tokens)) return
    const cause = before.name === 'ended' ? before.cause : undefined
    // In a microtask, so that an error of the listener does not reject the call that noticed the end.
    queueMicrotask(() => this.#onSignedOut(cause))
  }

  /** The storage holds the tokens of this state. */
  stored(): void {
    this.#usedTokens.clear()
  }

  #held(): Tokens | undefined {
    const state = this.#state
    return state.name === 'signedIn' || state.name === 'renewing' ? state.tokens : undefined
  }

  #isDead(tokens: Tokens): boolean {
    return this.#usedTokens.has(tokens.accessToken) || this.#endedSessions.has(sessionIdOf(tokens))
  }

  #become(state: State): void {
    this.#state = state
    this.#changes += 1
  }
}
