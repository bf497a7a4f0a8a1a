import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, platformAdmin, register, signIn, type Caller } from '../../../../test/factories.ts'
import { call, clock } from '../../../../test/harness.ts'
import { actionsOf, pingStatus, postRefresh } from '../../../../test/accounts.ts'

beforeAll(() => platformAdmin())

const second = 1000
const day = 24 * 3600 * second

interface Pair {
  access_token: string
  refresh_token: string
  expires_in: number
}

/** Refreshes a session. A refusal fails the test. */
const refreshed = async (token: string): Promise<Pair> => {
  const answer = await postRefresh(token)
  expect(answer).toMatchObject({ status: 200 })
  return answer.data
}

const expectRefused = async (token: string): Promise<void> => {
  const answer = await postRefresh(token)
  expect(answer).toMatchObject({ status: 401, body: { code: 40106, data: null } })
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
}

const newUser = async (): Promise<Caller> => (await newTenant()).member()

describe('refreshing', () => {
  test('a refresh issues both tokens anew, and they work', async () => {
    const user = await register()
    const pair = await refreshed(user.refreshToken)
    expect(Object.keys(pair).toSorted()).toEqual(['access_token', 'expires_in', 'refresh_token'])
    expect(pair.expires_in).toBe(7200)
    expect(pair.access_token).not.toBe(user.token)
    expect(pair.refresh_token).not.toBe(user.refreshToken)
    expect(await pingStatus(pair.access_token)).toBe(200)
    await refreshed(pair.refresh_token)
  })

  test('the access token from before a refresh stays valid until it expires', async () => {
    const user = await register()
    await refreshed(user.refreshToken)
    expect(await pingStatus(user.token)).toBe(200)
    clock.advance(7201 * second)
    expect(await pingStatus(user.token)).toBe(401)
  })

  test('a session that is refreshed in time lasts beyond seven days', async () => {
    const user = await register()
    clock.advance(6.9 * day)
    const pair = await refreshed(user.refreshToken)
    clock.advance(6.9 * day)
    const next = await refreshed(pair.refresh_token)
    expect(await pingStatus(next.access_token)).toBe(200)
  })

  test('a refresh token lives seven days and no longer', async () => {
    const [early, late] = [await register(), await register()]
    clock.advance(7 * day - 5 * second)
    await refreshed(early.refreshToken)
    clock.advance(6 * second)
    await expectRefused(late.refreshToken)
  })

  test('each sign-in is a session of its own', async () => {
    const user = await newUser()
    const other = await signIn(user)
    await refreshed(user.refreshToken)
    clock.advance(11 * second)
    await expectRefused(user.refreshToken)
    expect(await pingStatus(user.token)).toBe(401)
    expect(await pingStatus(other.token)).toBe(200)
    await refreshed(other.refreshToken)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['an empty token', { refresh_token: '' }],
    ['a number', { refresh_token: 1 }],
    ['null', { refresh_token: null }],
    ['a token of 4097 characters', { refresh_token: 'a'.repeat(4097) }],
  ])('refreshing with %s is 400', async (_what, body) => {
    expect(await call('POST', '/auth/refresh', { body })).toMatchObject({ status: 400 })
  })

  test.each(['nonsense', 'a.b.c', 'a'.repeat(4096)])('a text that is no token is 401', async (token) => {
    await expectRefused(token)
  })
})

describe('a refresh token used again', () => {
  test('ends the whole session: both tokens of every generation', async () => {
    const user = await newUser()
    const pairs = [{ access_token: user.token, refresh_token: user.refreshToken }]
    for (let n = 0; n < 3; n += 1) pairs.push(await refreshed(pairs.at(-1)?.refresh_token ?? ''))
    for (const { access_token: token } of pairs) expect(await pingStatus(token)).toBe(200)
    await expectRefused(user.refreshToken)
    for (const pair of pairs) {
      expect(await pingStatus(pair.access_token)).toBe(401)
      await expectRefused(pair.refresh_token)
    }
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.refresh_reused'])
  })

  test('a second use within 10 seconds is no theft while its successor is unused', async () => {
    const user = await newUser()
    const first = await refreshed(user.refreshToken)
    clock.advance(9 * second)
    const repeated = await refreshed(user.refreshToken)
    expect(await pingStatus(first.access_token)).toBe(200)
    expect(await pingStatus(repeated.access_token)).toBe(200)
    const next = await refreshed(repeated.refresh_token)
    const tab = await refreshed(first.refresh_token)
    expect(await pingStatus(next.access_token)).toBe(200)
    expect(await pingStatus(tab.access_token)).toBe(200)
    expect(await actionsOf(user)).toEqual(['auth.login'])
  })

  test('a second use after 10 seconds is a theft', async () => {
    const user = await newUser()
    const first = await refreshed(user.refreshToken)
    clock.advance(10.5 * second)
    await expectRefused(user.refreshToken)
    expect(await pingStatus(first.access_token)).toBe(401)
    await expectRefused(first.refresh_token)
    expect(await actionsOf(user)).toEqual(['auth.login', 'auth.refresh_reused'])
  })

  test('repeating does not prolong the 10 seconds', async () => {
    const user = await newUser()
    await refreshed(user.refreshToken)
    clock.advance(6 * second)
    await refreshed(user.refreshToken)
    clock.advance(6 * second)
    await expectRefused(user.refreshToken)
  })

  test('a second use after that of its successor is a theft, even within 10 seconds', async () => {
    const user = await newUser()
    const first = await refreshed(user.refreshToken)
    const next = await refreshed(first.refresh_token)
    await expectRefused(user.refreshToken)
    expect(await pingStatus(next.access_token)).toBe(401)
    await expectRefused(next.refresh_token)
  })

  test('a theft in one session does not affect the other users of the tenant', async () => {
    const tenant = await newTenant()
    const [user, neighbour] = [await tenant.member(), await tenant.member()]
    await refreshed(user.refreshToken)
    clock.advance(11 * second)
    await expectRefused(user.refreshToken)
    expect(await pingStatus(neighbour.token)).toBe(200)
    expect(await pingStatus(tenant.admin.token)).toBe(200)
  })

  test('50 concurrent refreshes leave one living session and are no theft', async () => {
    const user = await newUser()
    const answers = await Promise.all(Array.from({ length: 50 }, () => postRefresh(user.refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    const sessions = answers.map(({ data }) => claimsOf(data.access_token).sid)
    expect(new Set([...sessions, claimsOf(user.token).sid]).size).toBe(1)
    for (const { data } of answers.slice(0, 5)) expect(await pingStatus(data.access_token)).toBe(200)
    const last = await refreshed(answers.at(-1)?.data.refresh_token)
    expect(await pingStatus(last.access_token)).toBe(200)
    expect(await actionsOf(user)).toEqual(['auth.login'])
    clock.advance(11 * second)
    await expectRefused(answers[0]?.data.refresh_token)
    expect(await pingStatus(last.access_token)).toBe(401)
  })
})

const claimsOf = (token: string): { sid: string } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
