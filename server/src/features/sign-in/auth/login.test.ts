import { beforeAll, describe, expect, test } from 'vitest'
import { builtIn, newTenant, password, platformAdmin, register } from '../../../../test/factories.ts'
import { call, service, type Answer } from '../../../../test/harness.ts'
import { createHasher } from '../../../crypto/passwords.ts'
import { credentials, pingStatus, postLogin, postRegister } from '../../../../test/accounts.ts'
import { startOn } from '../../../../test/installation.ts'

beforeAll(() => platformAdmin())

const withoutTrace = ({ status, body: { trace_id: _traceId, ...body }, headers }: Answer) => ({
  status,
  body,
  headers: [...headers.keys()].toSorted(),
  challenge: headers.get('www-authenticate'),
})

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

describe('signing in', () => {
  test('signing in answers with a new pair of tokens', async () => {
    const user = await register()
    const { status, body, data } = await postLogin(user.email)
    expect({ status, code: body.code, message: body.message }).toEqual({
      status: 200,
      code: 0,
      message: 'success',
    })
    expect(Object.keys(data).toSorted()).toEqual(['access_token', 'expires_in', 'refresh_token'])
    expect(data.expires_in).toBe(7200)
    expect(data.access_token).not.toBe(user.token)
    expect(await pingStatus(data.access_token)).toBe(200)
    expect(await pingStatus(user.token)).toBe(200)
  })

  test('the e-mail is compared without case and without blanks around it', async () => {
    const user = await register()
    expect(await postLogin(`  ${user.email.toUpperCase()} `)).toMatchObject({ status: 200 })
  })

  test('the password is compared with its case', async () => {
    const user = await register()
    expect(await postLogin(user.email, password.toUpperCase())).toMatchObject({ status: 401 })
  })

  test('a user of any tenant signs in without naming it', async () => {
    const { admin, id } = await newTenant()
    const { data } = await postLogin(admin.email)
    expect(await call('GET', '/profile', { token: data.access_token })).toMatchObject({
      data: { tenant_id: id, id: admin.userId },
    })
  })

  test('signing in sets last_login, which is empty before', async () => {
    const root = await platformAdmin()
    const mine = credentials()
    const { data: created } = await root.post('/users', mine, { tenant: builtIn.id })
    expect(created.last_login).toBe('')
    await postLogin(mine.email, 'a wrong password')
    expect(await root.get(`/users/${created.id}`)).toMatchObject({ data: { last_login: '' } })
    const before = Date.now()
    await postLogin(mine.email)
    const { data: after } = await root.get(`/users/${created.id}`)
    expect(after.last_login).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/)
    expect(Date.parse(after.last_login)).toBeGreaterThanOrEqual(before - 1000)
  })

  test('a user can be signed in many times at once', async () => {
    const user = await register()
    const answers = await Promise.all(Array.from({ length: 20 }, () => postLogin(user.email)))
    const tokens = answers.map(({ data }) => data.access_token)
    expect(new Set(tokens).size).toBe(20)
    expect(new Set(await Promise.all(tokens.map(pingStatus)))).toEqual(new Set([200]))
  })

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['an empty object', {}],
    ['no e-mail', { password }],
    ['a blank e-mail', { email: '  ', password }],
    ['an e-mail that is a number', { email: 7, password }],
    ['an e-mail of 255 characters', { email: `${'e'.repeat(243)}@example.com`, password }],
    ['an e-mail that is none', { email: 'no e-mail at all', password }],
    ['no password', { email: 'ada@example.com' }],
    ['an empty password', { email: 'ada@example.com', password: '' }],
    ['a password that is an object', { email: 'ada@example.com', password: { $ne: '' } }],
    ['a password of 1025 characters', { email: 'ada@example.com', password: 'p'.repeat(1025) }],
    ['a NUL character in the e-mail', { email: 'a\0@example.com', password }],
    ['a NUL character in the password', { email: 'ada@example.com', password: 'pass\0word' }],
  ])('signing in with %s is 400', async (_what, body) => {
    const answer = await call('POST', '/auth/login', { body })
    expect(answer.status).toBe(400)
    expect([40001, 40002]).toContain(answer.body.code)
  })

  test('a body that is not JSON is 415 and a broken one 400', async () => {
    const { url } = service
    const send = (type: string, body: string) =>
      fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers: { 'content-type': type }, body })
    expect((await send('application/x-www-form-urlencoded', 'email=a&password=b')).status).toBe(415)
    expect((await send('application/json', '{"email":')).status).toBe(400)
  })
})

describe('a refused login', () => {
  test('a wrong password is 401 with a challenge', async () => {
    const user = await register()
    const answer = await postLogin(user.email, 'not the password')
    expect(answer).toMatchObject({ status: 401, body: { code: 40103, data: null } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  test('an unknown e-mail answers exactly like a wrong password', async () => {
    const user = await register()
    const wrong = await postLogin(user.email, 'not the password')
    expect(withoutTrace(await postLogin(credentials().email))).toEqual(withoutTrace(wrong))
  })

  test('an unknown e-mail takes as long as a wrong password', async () => {
    // With this cost the hash takes most of the processor time: without the hash the ratio would be below a half.
    const at = await startOn({ hasher: await createHasher(8) })
    const { email } = credentials()
    await postRegister({ ...credentials(), email }, { at })
    const unknown = credentials().email
    // Unlike wall-clock time, processor time does not depend on other load of the machine.
    const timed = async (tried: string) => {
      const before = process.cpuUsage()
      await postLogin(tried, 'not the password', { at })
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const ratio = async () => {
      const times: [number, number][] = []
      for (let round = 0; round < 11; round += 1) times.push([await timed(unknown), await timed(email)])
      return median(times.map(([time]) => time)) / median(times.map(([, time]) => time))
    }
    const ratios = [await ratio(), await ratio(), await ratio()]
    expect(median(ratios)).toBeGreaterThan(0.7)
    expect(median(ratios)).toBeLessThan(1.5)
    await at.app.close()
  })

  test('the e-mail of a deleted user is unknown, and free again', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    await admin.delete(`/users/${user.userId}`)
    expect(await postLogin(user.email)).toMatchObject({ status: 401, body: { code: 40103 } })
    const again = await admin.post('/users', { email: user.email, username: user.username, password })
    expect(again.status).toBe(200)
    expect(await postLogin(user.email)).toMatchObject({ status: 200 })
  })
})
