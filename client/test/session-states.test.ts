/** Every transition of the session's state machine, by its name in `src/session/states.ts`. */
import { describe, expect, test } from 'vitest'
import { ApiError, type Tokens } from '../src/client.ts'
import { States, type Renewal, type State } from '../src/session/states.ts'

/** Tokens of a session: its id, the user's id, and the number of the renewal. */
const tokensOf = (sid: string, sub: string, generation = 1): Tokens => ({
  accessToken: `a.${btoa(JSON.stringify({ sid, sub, tid: 't', generation }))}.c`,
  refreshToken: `${sid}-${generation}`,
  expiresAt: 0,
})

const ada = tokensOf('ada-1', '1')
const renewedAda = tokensOf('ada-1', '1', 2)
const adaElsewhere = tokensOf('ada-2', '1')
const grace = tokensOf('grace-1', '2')

const refusal = new ApiError({
  status: 401,
  code: 40106,
  reason: 'refreshTokenInvalid',
  message: 'The refresh token is invalid',
})

const running: Renewal = Promise.resolve(undefined)

/** Notes each call of `onSignedOut`. */
const start = () => {
  const ends: (ApiError | undefined)[] = []
  return { states: new States((cause) => ends.push(cause)), ends }
}

/** Ways into each state, for Ada. */
const ways: Record<State['name'], (states: States) => void> = {
  signedOut: () => undefined,
  signedIn: (states) => states.signIn(ada),
  renewing: (states) => {
    states.signIn(ada)
    states.renew(ada, running)
  },
  ended: (states) => {
    states.signIn(ada)
    states.end(ada, refusal)
  },
}

const heldBy = (state: State): Tokens | undefined => ('tokens' in state ? state.tokens : undefined)

interface Transition {
  from: State['name']
  by: string
  run: (states: States) => unknown
  to: State['name']
  /** The tokens of the state after it. */
  tokens?: Tokens
  /** The causes that `onSignedOut` was called with. */
  ends?: (ApiError | undefined)[]
}

const transitions: Transition[] = [
  { from: 'signedOut', by: 'signIn', run: (states) => states.signIn(ada), to: 'signedIn', tokens: ada },
  { from: 'signedOut', by: 'found tokens', run: (states) => states.found(ada), to: 'signedIn', tokens: ada },
  { from: 'signedOut', by: 'found nothing', run: (states) => states.found(undefined), to: 'signedOut' },
  { from: 'signedOut', by: 'renew', run: (states) => states.renew(ada, running), to: 'signedOut' },
  { from: 'signedOut', by: 'renewed', run: (states) => states.renewed(ada, renewedAda), to: 'signedOut' },
  { from: 'signedOut', by: 'end', run: (states) => states.end(ada), to: 'signedOut' },

  {
    from: 'signedIn',
    by: 'signIn of another user',
    run: (states) => states.signIn(grace),
    to: 'signedIn',
    tokens: grace,
  },
  {
    from: 'signedIn',
    by: 'signInFailed, which goes back',
    run: (states) => states.signInFailed(grace, states.signIn(grace)),
    to: 'signedIn',
    tokens: ada,
  },
  {
    from: 'signedIn',
    by: 'signInFailed without a session before it',
    run: (states) => states.signInFailed(ada, undefined),
    to: 'signedOut',
  },
  {
    from: 'signedIn',
    by: 'signInFailed of tokens that another sign-in has replaced',
    run: (states) => {
      const replaced = states.signIn(grace)
      states.signIn(adaElsewhere)
      states.signInFailed(grace, replaced)
    },
    to: 'signedIn',
    tokens: adaElsewhere,
  },
  {
    from: 'signedIn',
    by: 'renew',
    run: (states) => states.renew(ada, running),
    to: 'renewing',
    tokens: ada,
  },
  {
    from: 'signedIn',
    by: 'renew of older tokens',
    run: (states) => states.renew(tokensOf('ada-1', '1', 0), running),
    to: 'signedIn',
    tokens: ada,
  },
  { from: 'signedIn', by: 'end', run: (states) => states.end(ada), to: 'ended', tokens: ada },
  {
    from: 'signedIn',
    by: 'end of another session',
    run: (states) => states.end(grace),
    to: 'signedIn',
    tokens: ada,
  },
  {
    from: 'signedIn',
    by: 'found nothing',
    run: (states) => states.found(undefined),
    to: 'signedOut',
    ends: [undefined],
  },
  {
    from: 'signedIn',
    by: 'found a newer session of the same user',
    run: (states) => states.found(adaElsewhere),
    to: 'signedIn',
    tokens: adaElsewhere,
  },
  {
    from: 'signedIn',
    by: 'found another user',
    run: (states) => states.found(grace),
    to: 'signedIn',
    tokens: grace,
    ends: [undefined],
  },

  {
    from: 'renewing',
    by: 'renewed',
    run: (states) => states.renewed(ada, renewedAda),
    to: 'signedIn',
    tokens: renewedAda,
  },
  {
    from: 'renewing',
    by: 'renewalEnded without new tokens',
    run: (states) => states.renewalEnded(running),
    to: 'signedIn',
    tokens: ada,
  },
  {
    from: 'renewing',
    by: 'renewalEnded of another renewal',
    run: (states) => states.renewalEnded(Promise.resolve(undefined)),
    to: 'renewing',
    tokens: ada,
  },
  {
    from: 'renewing',
    by: 'signIn, which drops the renewed tokens',
    run: (states) => {
      states.signIn(grace)
      states.renewed(ada, renewedAda)
    },
    to: 'signedIn',
    tokens: grace,
  },
  {
    from: 'renewing',
    by: 'end, which drops the renewed tokens',
    run: (states) => {
      states.end(ada)
      states.renewed(ada, renewedAda)
    },
    to: 'ended',
    tokens: ada,
  },
  {
    from: 'renewing',
    by: 'found the same tokens',
    run: (states) => states.found(structuredClone(ada)),
    to: 'renewing',
    tokens: ada,
  },
  {
    from: 'renewing',
    by: 'found the tokens that another tab has renewed',
    run: (states) => states.found(renewedAda),
    to: 'signedIn',
    tokens: renewedAda,
  },
  {
    from: 'renewing',
    by: 'found nothing',
    run: (states) => states.found(undefined),
    to: 'signedOut',
    ends: [undefined],
  },

  { from: 'ended', by: 'signIn', run: (states) => states.signIn(grace), to: 'signedIn', tokens: grace },
  { from: 'ended', by: 'end once more', run: (states) => states.end(ada), to: 'ended', tokens: ada },
  {
    from: 'ended',
    by: 'found nothing, which reports the cause once',
    run: (states) => {
      states.found(undefined)
      states.found(undefined)
    },
    to: 'signedOut',
    ends: [refusal],
  },
  {
    from: 'ended',
    by: 'found a newer session of the same user',
    run: (states) => states.found(adaElsewhere),
    to: 'signedIn',
    tokens: adaElsewhere,
  },
  {
    from: 'ended',
    by: 'found another user',
    run: (states) => states.found(grace),
    to: 'signedIn',
    tokens: grace,
    ends: [refusal],
  },
]

describe('a transition', () => {
  test.each(transitions)('the state $from becomes $to: $by', async ({ from, run, to, tokens, ends = [] }) => {
    const { states, ends: told } = start()
    ways[from](states)
    expect(states.state.name).toBe(from)
    run(states)
    // The listener is called in a microtask.
    await Promise.resolve()
    expect(states.state.name).toBe(to)
    expect(heldBy(states.state)).toEqual(tokens)
    expect(told).toEqual(ends)
  })

  test('the state renewing keeps the renewal that all requests wait for', () => {
    const { states } = start()
    states.signIn(ada)
    states.renew(ada, running)
    expect(states.state).toMatchObject({ name: 'renewing', renewal: running })
  })
})

describe('tokens in the storage', () => {
  test('hold as they are when this client has not ended them', () => {
    const { states } = start()
    states.signIn(ada)
    expect(states.validTokens(renewedAda)).toBe(renewedAda)
    expect(states.validTokens(undefined)).toBe(undefined)
  })

  test('the tokens of an ended session are invalid, however they were renewed', () => {
    const { states } = start()
    states.signIn(ada)
    states.end(ada)
    expect([states.validTokens(ada), states.validTokens(renewedAda)]).toEqual([undefined, undefined])
    states.found(undefined)
    expect(states.validTokens(ada)).toBe(undefined)
  })

  test('the tokens of a replaced session are replaced by those of the new one', () => {
    const { states } = start()
    states.signIn(ada)
    states.signIn(grace)
    expect(states.validTokens(ada)).toBe(grace)
  })

  test('renewed tokens are valid in place of the stored ones, and once stored', () => {
    const { states } = start()
    states.signIn(ada)
    states.renewed(ada, renewedAda)
    expect(states.validTokens(ada)).toBe(renewedAda)
    states.stored()
    expect(states.validTokens(renewedAda)).toBe(renewedAda)
  })

  test('the tokens of a failed sign-in are invalid, and those before it valid again', () => {
    const { states } = start()
    states.signIn(ada)
    states.signInFailed(grace, states.signIn(grace))
    expect([states.validTokens(grace), states.validTokens(ada)]).toEqual([ada, ada])
  })
})

test('a running read of the storage is outdated only by changes of this client', () => {
  const { states } = start()
  states.found(ada)
  states.renew(ada, running)
  states.renewalEnded(running)
  expect(states.changes).toBe(0)
  states.renewed(ada, renewedAda)
  states.signIn(grace)
  states.end(grace)
  expect(states.changes).toBe(3)
})
