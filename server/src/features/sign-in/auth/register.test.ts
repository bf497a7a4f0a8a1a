import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtIn, newTenant, password, platformAdmin, register, unique } from '../../../../test/factories.ts'
import { call, startApp, type Running } from '../../../../test/harness.ts'
import { credentials, postLogin, postRegister } from '../../../../test/accounts.ts'

const profileOf = async (token: string) => (await call('GET', '/profile', { token })).data

/** A character, repeated. */
const times = (count: number, character: string) => character.repeat(count)

beforeAll(() => platformAdmin())

describe('registering', () => {
  test('registering answers with a pair of tokens that works at once', async () => {
    const mine = credentials()
    const answer = await postRegister({ ...mine, nickname: 'Ada' })
    expect(answer).toMatchObject({ status: 200, body: { code: 0, message: 'success' } })
    expect(Object.keys(answer.data).toSorted()).toEqual(['access_token', 'expires_in', 'refresh_token'])
    expect(answer.data.expires_in).toBe(7200)
    expect(await profileOf(answer.data.access_token)).toMatchObject({
      username: mine.username,
      email: mine.email,
      nickname: 'Ada',
      avatar: '',
      status: 1,
      tenant_id: builtIn.id,
    })
  })

  test('a registered user starts as member and nothing more', async () => {
    const user = await register()
    const roles = await user.get(`/rbac/users/${user.userId}/roles`)
    expect(roles.data.map(({ name }: { name: string }) => name)).toEqual(['member'])
    expect(await user.get('/users')).toMatchObject({ status: 403 })
  })

  test('the sign-in that comes with registering counts as a login', async () => {
    const before = Date.now()
    const user = await register()
    const { data } = await user.get('/profile')
    expect(Date.parse(data.last_login)).toBeGreaterThanOrEqual(before - 1000)
  })

  test('a caller cannot set fields that the schema does not list', async () => {
    const mine = credentials()
    const greedy = {
      id: 1,
      tenant_id: '11111111-1111-4111-8111-111111111111',
      status: 0,
      avatar: 'https://example.com/a.png',
      last_login: '2020-01-01T00:00:00Z',
      is_system: true,
      role: 'platform-admin',
      roles: ['platform-admin'],
      permissions: ['tenant:read'],
      account_id: 1,
      password_scheme: 'foreign',
    }
    const { data } = await postRegister({ ...mine, ...greedy })
    const profile = await profileOf(data.access_token)
    expect(profile).toMatchObject({ tenant_id: builtIn.id, status: 1, avatar: '' })
    expect(profile.id).toBeGreaterThan(1)
    expect(profile.last_login).not.toContain('2020')
    expect(await call('GET', '/org/tenants', { token: data.access_token })).toMatchObject({ status: 403 })
  })

  test('names are trimmed before their lengths are looked at', async () => {
    const mine = credentials()
    const { status, data } = await postRegister({
      ...mine,
      email: `  ${mine.email}\t`,
      username: `${times(70, ' ')}${mine.username}${times(70, ' ')}`,
      nickname: ` ${times(64, 'n')}\u00a0`,
    })
    expect(status).toBe(200)
    expect(await profileOf(data.access_token)).toMatchObject({ ...namesOf(mine), nickname: times(64, 'n') })
  })

  const namesOf = ({ email, username }: { email: string; username: string }) => ({ email, username })

  test('a blank nickname is none', async () => {
    const { data } = await postRegister({ ...credentials(), nickname: '   ' })
    expect(await profileOf(data.access_token)).toMatchObject({ nickname: '' })
  })

  test('a password is not trimmed', async () => {
    const mine = { ...credentials(), password: '  spaces around  ' }
    expect(await postRegister(mine)).toMatchObject({ status: 200 })
    expect(await postLogin(mine.email, 'spaces around')).toMatchObject({ status: 401 })
    expect(await postLogin(mine.email, '  spaces around  ')).toMatchObject({ status: 200 })
  })

  test('names keep their case and Unicode as given', async () => {
    const mine = credentials('CamelCase')
    const { data } = await postRegister({ ...mine, nickname: 'Ädä 🦉' })
    expect(await profileOf(data.access_token)).toMatchObject({ ...namesOf(mine), nickname: 'Ädä 🦉' })
  })
})

describe('limits at registering', () => {
  const emailOf = (length: number) => {
    const head = `${unique('l')}@`
    const tail = '.example.com'
    const label = `${times(40, 'd')}.`
    const fill = length - head.length - tail.length
    const labels = label.repeat(Math.floor((fill - 1) / label.length))
    return `${head}${labels}${times(fill - labels.length, 'e')}${tail}`
  }

  test.each<[string, () => object]>([
    ['a username of 3 characters', () => ({ username: unique('').slice(0, 3) })],
    ['a username of 64 characters', () => ({ username: unique('').padEnd(64, 'x') })],
    ['a username of all characters allowed', () => ({ username: `${unique('Aa0')}._-@+` })],
    ['a password of 8 characters', () => ({ password: 'p4ssw0rd' })],
    ['a password of 8 code points', () => ({ password: times(8, '🦉') })],
    ['a password of 128 characters', () => ({ password: times(128, 'p') })],
    ['a password of 128 code points', () => ({ password: times(128, '🦉') })],
    ['a nickname of 64 code points', () => ({ nickname: times(64, '🦉') })],
    ['an e-mail of 254 characters', () => ({ email: emailOf(254) })],
  ])('%s is taken', async (_what, change) => {
    const mine = { ...credentials(), ...change() }
    expect(await postRegister(mine)).toMatchObject({ status: 200 })
    expect(await postLogin(mine.email, mine.password)).toMatchObject({ status: 200 })
  })

  test.each<[string, string, unknown]>([
    ['a username of 2 characters', 'username', 'ab'],
    ['a username of 2 characters and blanks', 'username', ' ab '],
    ['a username of 65 characters', 'username', times(65, 'u')],
    ['a username with a space inside', 'username', 'ada lovelace'],
    ['a username outside ASCII', 'username', 'adä'],
    ['a blank username', 'username', '    '],
    ['a username that is a number', 'username', 12345],
    ['a username that is null', 'username', null],
    ['no username', 'username', undefined],
    ['a password of 7 characters', 'password', 'p4ssw0r'],
    ['a password of 7 code points', 'password', times(7, '🦉')],
    ['a password of 129 characters', 'password', times(129, 'p')],
    ['a password of 129 code points', 'password', times(129, '🦉')],
    ['a password that is a number', 'password', 1234567890],
    ['no password', 'password', undefined],
    ['an e-mail without @', 'email', 'ada.example.com'],
    ['an e-mail without a domain', 'email', 'ada@'],
    ['an e-mail with a space inside', 'email', 'a da@example.com'],
    ['two e-mails', 'email', 'a@example.com,b@example.com'],
    ['an e-mail of 255 characters', 'email', emailOf(255)],
    ['a blank e-mail', 'email', '   '],
    ['no e-mail', 'email', undefined],
    ['a nickname of 65 code points', 'nickname', times(65, '🦉')],
    ['a nickname that is null', 'nickname', null],
    ['a nickname that is an object', 'nickname', {}],
  ])('%s is 400 and names the field', async (_what, field, value) => {
    const answer = await postRegister({ ...credentials(), [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 40001 } })
    const fields = answer.data.errors.map((error: { field: string }) => error.field)
    expect(new Set(fields)).toEqual(new Set([field]))
  })

  test('a NUL character or a lone surrogate is 400', async () => {
    for (const nickname of ['a\0b', '\ud800']) {
      expect(await postRegister({ ...credentials(), nickname })).toMatchObject({ status: 400 })
    }
    expect(await postRegister({ ...credentials(), password: 'pass\0word' })).toMatchObject({ status: 400 })
  })

  test('a body that is no object is 400', async () => {
    for (const body of [[], 'text', 1, null]) expect(await postRegister(body)).toMatchObject({ status: 400 })
    expect(await call('POST', '/auth/register')).toMatchObject({ status: 400 })
  })
})

describe('duplicates at registering', () => {
  test('an e-mail is registered once, in any case', async () => {
    const user = await register()
    const again = { ...credentials(), email: user.email.toUpperCase() }
    expect(await postRegister(again)).toMatchObject({ status: 409, body: { code: 40901, data: null } })
  })

  test('an e-mail of a user in any other tenant is taken too', async () => {
    const { admin } = await newTenant()
    const again = { ...credentials(), email: admin.email }
    expect(await postRegister(again)).toMatchObject({ status: 409, body: { code: 40901 } })
    expect(await postRegister({ ...credentials(), username: admin.username })).toMatchObject({ status: 200 })
  })

  test('a username is registered once in the tenant, in any case, and leaves the e-mail free', async () => {
    const user = await register()
    const again = { ...credentials(), username: user.username.toUpperCase() }
    expect(await postRegister(again)).toMatchObject({ status: 409, body: { code: 40902 } })
    expect(await postRegister({ ...credentials(), email: again.email })).toMatchObject({ status: 200 })
  })

  test('exactly one of concurrent equal registrations succeeds, and the others are 409', async () => {
    const mine = credentials()
    const answers = await Promise.all(Array.from({ length: 12 }, () => postRegister(mine)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 409)])
  })

  test('exactly one of concurrent registrations of one username succeeds', async () => {
    const { username } = credentials()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => postRegister({ ...credentials(), username })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 40902)).toHaveLength(7)
  })
})

describe('closed registration', () => {
  let closed: Running
  beforeAll(async () => {
    closed = await startApp({ signUp: 'closed' })
  })
  afterAll(() => closed.app.close())

  test('closed registration is 403 for every caller', async () => {
    const answer = await postRegister(credentials(), { at: closed })
    expect(answer).toMatchObject({ status: 403, body: { code: 40307, data: null } })
  })

  test('closed registration does not tell which e-mails are taken', async () => {
    const user = await register()
    const taken = await postRegister({ ...credentials(), email: user.email }, { at: closed })
    expect(taken).toMatchObject({ status: 403, body: { code: 40307 } })
  })

  test('users sign in as before while registration is closed', async () => {
    const user = await register()
    expect(await postLogin(user.email, password, { at: closed })).toMatchObject({ status: 200 })
  })
})
