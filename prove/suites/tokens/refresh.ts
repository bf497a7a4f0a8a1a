import { setTimeout as sleep } from 'node:timers/promises'
import { ask, inParallel, refuteNothing } from '../../attack.ts'
import { newUser, ok, signIn, type Answer, type Session } from '../../../lab/client.ts'
import { parseToken } from '../../forge.ts'
import type { Prove } from '../../suite.ts'
import type { Target } from '../../target.ts'

export interface Stage {
  target: Target
  tenant: string
}

interface Pair {
  access_token: string
  refresh_token: string
}

/** The grace for a repeated refresh (docs/contract.md, "Authentication") plus half a second. */
const graceMs = 10_500

const refresh = (url: string, token: string): Promise<Answer> =>
  ask(url, 'POST', '/api/v1/auth/refresh', { body: { refresh_token: token } })

const profile = (url: string, token: string): Promise<Answer> => ask(url, 'GET', '/api/v1/profile', { token })

const sessionId = (token: string): unknown => parseToken(token).payload['sid']

const next = async (url: string, token: string): Promise<Pair> => ok(await refresh(url, token)) as Pair

const first = ({ token, refreshToken }: Session): Pair => ({
  access_token: token,
  refresh_token: refreshToken,
})

/** Refreshes a session so many times and returns the pairs of all generations. */
const generations = async (session: Session, count: number): Promise<Pair[]> => {
  const pairs = [first(session)]
  for (let made = 0; made < count; made += 1) {
    pairs.push(await next(session.base, pairs.at(-1)?.refresh_token ?? ''))
  }
  return pairs
}

/** Throws unless every token of every pair is refused. */
const requireDead = async (url: string, pairs: Pair[]): Promise<void> => {
  const answers = await Promise.all(
    pairs.flatMap((pair) => [profile(url, pair.access_token), refresh(url, pair.refresh_token)]),
  )
  refuteNothing(
    answers.filter(({ status }) => status !== 401).map(({ status }) => `a token still answers ${status}`),
  )
}

const proveReuse = async ({ target: { url, root }, tenant }: Stage): Promise<string> => {
  const count = 4
  for (let stolen = 0; stolen < count - 1; stolen += 1) {
    const session = await newUser(root, tenant)
    const pairs = await generations(session, count)
    for (const pair of pairs) ok(await profile(url, pair.access_token))
    const used = await refresh(url, pairs[stolen]?.refresh_token ?? '')
    if (used.status !== 401) throw new Error(`generation ${stolen} used again answers ${used.status}`)
    await requireDead(url, pairs)
    ok(await (await signIn(url, session.email, session.password)).call('GET', '/profile'))
  }
  return `${count - 1} generations used again: each time both tokens of all ${count + 1} are dead at the next request, and signing in works`
}

const proveAudited = async ({ target: { url, root }, tenant }: Stage): Promise<string> => {
  const session = await newUser(root, tenant)
  const pairs = await generations(session, 2)
  await refresh(url, pairs[0]?.refresh_token ?? '')
  await refresh(url, pairs[0]?.refresh_token ?? '')
  const path = `/audit/logs?action=auth.refresh_reused&user_id=${session.userId}`
  const { total } = ok(await root.call('GET', path, undefined, { tenant }))
  if (total !== 1) throw new Error(`the log has ${total} records of the reuse`)
  return 'one record auth.refresh_reused'
}

const proveLate = async ({ target: { url, root }, tenant }: Stage): Promise<string> => {
  const session = await newUser(root, tenant)
  const pairs = await generations(session, 1)
  await sleep(graceMs)
  const { status } = await refresh(url, session.refreshToken)
  if (status !== 401) throw new Error(`answers ${status}`)
  await requireDead(url, pairs)
  return `the predecessor again after ${graceMs / 1000} s, its successor unused: the session is over`
}

const proveTabs = async ({ target: { url, root }, tenant }: Stage): Promise<string> => {
  const rounds = 10
  for (let round = 0; round < rounds; round += 1) {
    const session = await newUser(root, tenant)
    const tabs = await Promise.all([next(url, session.refreshToken), next(url, session.refreshToken)])
    const late = await next(url, session.refreshToken)
    for (const { access_token: token } of [...tabs, late]) {
      ok(await profile(url, token))
      if (sessionId(token) !== sessionId(session.token)) throw new Error('a tab got another session')
    }
    const again = await Promise.all(tabs.map((tab) => next(url, tab.refresh_token)))
    for (const { access_token: token } of again) ok(await profile(url, token))
  }
  return `${rounds} rounds of two at once and a third, twice in a row: all get a pair of the same session`
}

const countSessions = (pairs: Pair[]) => new Set(pairs.map((pair) => sessionId(pair.access_token))).size

const proveStorm = async ({ target: { url, root, short }, tenant }: Stage): Promise<string> => {
  const [width, rounds] = [50, short ? 3 : 20]
  for (let round = 0; round < rounds; round += 1) {
    const session = await newUser(root, tenant)
    const tokens = Array.from({ length: width }, () => session.refreshToken)
    const pairs = await Promise.all(tokens.map((token) => next(url, token)))
    if (countSessions([first(session), ...pairs]) !== 1) throw new Error('a session was split')
    for (const { access_token: token } of pairs) ok(await profile(url, token))
    const successor = await next(url, pairs[round]?.refresh_token ?? '')
    await refresh(url, session.refreshToken)
    await requireDead(url, [first(session), ...pairs, successor])
  }
  return `${rounds} × ${width} at once: all get a pair, of one session; after a theft all ${width + 2} pairs are dead`
}

/** Disabling a user ends their sessions: no concurrent refresh revives one. */
const proveNoRevival = async ({ target: { url, root, short }, tenant }: Stage): Promise<string> => {
  const rounds = Array.from({ length: short ? 20 : 100 }, (_, round) => round)
  let won = 0
  await inParallel(rounds, 4, async () => {
    const session = await newUser(root, tenant)
    const path = `/users/${session.userId}`
    const [answer] = await Promise.all([
      refresh(url, session.refreshToken),
      root.call('PUT', path, { status: 0 }, { tenant }).then(ok),
    ])
    const pairs = [first(session), ...(answer.status === 200 ? [answer.data as Pair] : [])]
    won += pairs.length - 1
    await requireDead(url, pairs)
    ok(await root.call('PUT', path, { status: 1 }, { tenant }))
    await requireDead(url, pairs)
  })
  return `${rounds.length} races, ${won} won by the refresh: every token is dead afterwards, also when the user is enabled again`
}

export const proveRefresh = async (stage: Stage, prove: Prove): Promise<void> => {
  // Waits out the grace while other promises are proved.
  const late = proveLate(stage)
  late.catch(() => {})
  await prove('a refresh token used again ends every generation of its session', () => proveReuse(stage))
  await prove('a refresh token used again leaves one audit record', () => proveAudited(stage))
  await prove('two tabs that refresh at once both stay signed in', () => proveTabs(stage))
  await prove('a storm of refreshes neither splits nor ends a session', () => proveStorm(stage))
  await prove('a refresh does not revive a session that is being ended', () => proveNoRevival(stage))
  await prove('a refresh token used again after the grace ends the session', () => late)
}
