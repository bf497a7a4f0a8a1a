import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, register } from '../../../../test/factories.ts'
import { startApp, type Answer, type Running } from '../../../../test/harness.ts'
import { sourceOf } from '../../../values/source.ts'
import { credentials, pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'

let limited: Running
let direct: Running

beforeAll(async () => {
  await platformAdmin()
  limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
  direct = await startApp({ rateLimit: true })
})

afterAll(async () => {
  await limited.app.close()
  await direct.app.close()
})

const wrong = 'not the password'
const sources = { count: 0 }

/** An address that no test has used yet. */
const newSource = (): string => {
  sources.count += 1
  return `10.77.${sources.count >> 8}.${sources.count & 255}`
}

const loginFrom = (source: string, email: string, withPassword: string): Promise<Answer> =>
  postLogin(email, withPassword, { at: limited, headers: { 'x-forwarded-for': source } })

const failFrom = async (source: string, email: string, count: number): Promise<number[]> => {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) statuses.push((await loginFrom(source, email, wrong)).status)
  return statuses
}

const retryAfter = ({ headers }: Answer): number => Number(headers.get('retry-after'))

describe('guessing a password', () => {
  test('the source waits after ten failures, even with the right password', async () => {
    const { email } = await register()
    const source = newSource()
    expect(await failFrom(source, email, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    const answer = await loginFrom(source, email, password)
    expect(answer).toMatchObject({ status: 429, body: { code: 42902, data: null } })
    expect(retryAfter(answer)).toBeGreaterThan(800)
    expect(retryAfter(answer)).toBeLessThanOrEqual(900)
    expect(await loginFrom(source, email.toUpperCase(), wrong)).toMatchObject({ status: 429 })
  })

  test('another source still gets in, and so does another account from the same one', async () => {
    const [victim, neighbour] = [await register(), await register()]
    const source = newSource()
    await failFrom(source, victim.email, 11)
    expect(await loginFrom(newSource(), victim.email, password)).toMatchObject({ status: 200 })
    expect(await loginFrom(source, neighbour.email, password)).toMatchObject({ status: 200 })
  })

  test('an owner with a session continues while strangers guess', async () => {
    const owner = await register()
    await failFrom(newSource(), owner.email, 11)
    expect(await pingStatus(owner.token)).toBe(200)
    expect(await postRefresh(owner.refreshToken, { at: limited })).toMatchObject({ status: 200 })
  })

  test('waiting is not lengthened by more failures', async () => {
    const { email } = await register()
    const source = newSource()
    await failFrom(source, email, 10)
    const first = retryAfter(await loginFrom(source, email, wrong))
    expect(await failFrom(source, email, 15)).toEqual(Array.from({ length: 15 }, () => 429))
    expect(retryAfter(await loginFrom(source, email, wrong))).toBeLessThanOrEqual(first)
  })

  test('an attempt that succeeds is given back', async () => {
    const { email } = await register()
    const source = newSource()
    await failFrom(source, email, 9)
    for (let n = 0; n < 12; n += 1) {
      expect(await loginFrom(source, email, password)).toMatchObject({ status: 200 })
    }
    expect(await loginFrom(source, email, wrong)).toMatchObject({ status: 401 })
    expect(await loginFrom(source, email, password)).toMatchObject({ status: 429 })
  })

  test('failures on an unknown e-mail count alike', async () => {
    const { email } = credentials()
    const source = newSource()
    expect(await failFrom(source, email, 11)).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })

  test('wrong old passwords count together with failed logins', async () => {
    const user = await register()
    const source = newSource()
    await failFrom(source, user.email, 6)
    const change = (old: string) =>
      user.post(
        '/password',
        { old_password: old, new_password: 'another password' },
        { at: limited, headers: { 'x-forwarded-for': source } },
      )
    for (let n = 0; n < 4; n += 1) expect(await change(wrong)).toMatchObject({ status: 401 })
    const answer = await change(password)
    expect(answer).toMatchObject({ status: 429, body: { code: 42902 } })
    expect(retryAfter(answer)).toBeGreaterThan(0)
    expect(await loginFrom(newSource(), user.email, password)).toMatchObject({ status: 200 })
  })

  test('200 concurrent guesses do not slip through', async () => {
    const { email } = await register()
    const source = newSource()
    const answers = await Promise.all(Array.from({ length: 200 }, () => loginFrom(source, email, wrong)))
    const statuses = answers.map(({ status }) => status)
    const tried = statuses.filter((status) => status === 401).length
    // Ten attempts are allowed. While Redis answers late, the process counts in memory and allows up to ten more.
    expect(tried).toBeGreaterThanOrEqual(10)
    expect(tried).toBeLessThanOrEqual(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(200 - tried)
    expect(await loginFrom(source, email, password)).toMatchObject({ status: 429 })
  })

  test('successful attempts leave no source waiting', async () => {
    const { email } = await register()
    const source = newSource()
    const answers = await Promise.all(Array.from({ length: 40 }, () => loginFrom(source, email, password)))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10)
    expect(await loginFrom(source, email, password)).toMatchObject({ status: 200 })
  })

  test('a login that is refused for another reason than the password is no failure', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const source = newSource()
    await tenant.admin.put(`/users/${user.userId}`, { status: 0 })
    for (let n = 0; n < 12; n += 1) {
      expect(await loginFrom(source, user.email, password)).toMatchObject({
        status: 401,
        body: { code: 40104 },
      })
    }
  })

  test('no source waits with limits off', async () => {
    const { email } = await register()
    for (let n = 0; n < 12; n += 1) expect(await postLogin(email, wrong)).toMatchObject({ status: 401 })
    expect(await postLogin(email)).toMatchObject({ status: 200 })
  })
})

describe('one source', () => {
  test('the addresses of one IPv6 /64 network are one source, those of the next another', async () => {
    const { email } = await register()
    for (let n = 1; n <= 10; n += 1) {
      expect(await loginFrom(`2001:db8:aa:1::${n}`, email, wrong)).toMatchObject({ status: 401 })
    }
    expect(await loginFrom('2001:db8:aa:1:ffff:ffff:ffff:ffff', email, password)).toMatchObject({
      status: 429,
    })
    expect(await loginFrom('2001:db8:aa:2::1', email, password)).toMatchObject({ status: 200 })
  })

  test('a client that is no trusted proxy cannot claim another address', async () => {
    const { email } = await register()
    const attempt = (withPassword: string, n: number) =>
      postLogin(email, withPassword, { at: direct, headers: { 'x-forwarded-for': `10.99.0.${n}` } })
    for (let n = 0; n < 10; n += 1) expect(await attempt(wrong, n)).toMatchObject({ status: 401 })
    expect(await attempt(password, 200)).toMatchObject({ status: 429 })
  })

  test('an address is written in one way only', () => {
    expect(sourceOf('192.0.2.7')).toBe('192.0.2.7')
    expect(sourceOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(sourceOf('2001:DB8::1')).toBe(sourceOf('2001:0db8:0:0:9::2'))
    expect(sourceOf('2001:db8:0:1::1')).not.toBe(sourceOf('2001:db8::1'))
    expect(sourceOf('no address')).toBe('no address')
  })
})

describe('an account guessed at from everywhere', () => {
  const besiege = async (email: string) => {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const source = newSource()
        await failFrom(source, email, 10)
      }),
    )
  }

  test('each source has one attempt a minute, so that its owner still gets in', async () => {
    const owner = await register()
    await besiege(owner.email)
    const thief = newSource()
    expect(await loginFrom(thief, owner.email, wrong)).toMatchObject({ status: 401 })
    const refused = await loginFrom(thief, owner.email, wrong)
    expect(refused).toMatchObject({ status: 429, body: { code: 42902 } })
    expect(retryAfter(refused)).toBeLessThanOrEqual(60)
    const source = newSource()
    for (let n = 0; n < 3; n += 1) {
      expect(await loginFrom(source, owner.email, password)).toMatchObject({ status: 200 })
    }
    expect(await pingStatus(owner.token)).toBe(200)
  })

  test('asking again while waiting does not lengthen the wait', async () => {
    const owner = await register()
    await besiege(owner.email)
    const source = newSource()
    await failFrom(source, owner.email, 14)
    expect(retryAfter(await loginFrom(source, owner.email, password))).toBeLessThanOrEqual(60)
  })
})
