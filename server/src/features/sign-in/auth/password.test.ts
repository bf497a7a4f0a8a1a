import { beforeAll, describe, expect, test } from 'vitest'
import { builtIn, newTenant, password, platformAdmin, register, signIn } from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { actionsOf, pingStatus, postLogin, postRefresh } from '../../../../test/accounts.ts'

beforeAll(() => platformAdmin())

const next = 'another good password'

describe('changing the password', () => {
  test('the new password opens the account and the old one does not', async () => {
    const user = await register()
    const answer = await user.post('/password', { old_password: password, new_password: next })
    expect(answer).toMatchObject({ status: 200, body: { code: 0, message: 'success', data: null } })
    expect(await postLogin(user.email, password)).toMatchObject({ status: 401 })
    expect(await postLogin(user.email, next)).toMatchObject({ status: 200 })
  })

  test('a password change ends the other sessions and not the own one', async () => {
    const user = await register()
    const other = await signIn(user)
    const stranger = await register()
    expect(await pingStatus(other.token)).toBe(200)
    await user.post('/password', { old_password: password, new_password: next })
    expect(await pingStatus(other.token)).toBe(401)
    expect(await postRefresh(other.refreshToken)).toMatchObject({ status: 401, body: { code: 40106 } })
    expect(await pingStatus(user.token)).toBe(200)
    expect(await pingStatus(stranger.token)).toBe(200)
    const { status, data } = await postRefresh(user.refreshToken)
    expect(status).toBe(200)
    expect(await pingStatus(data.access_token)).toBe(200)
  })

  test('a wrong old password is 401, changes nothing and is audited', async () => {
    const user = await register()
    const other = await signIn(user)
    const answer = await user.post('/password', { old_password: 'not the password', new_password: next })
    expect(answer).toMatchObject({ status: 401, body: { code: 40107, data: null } })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await actionsOf(user)).toEqual(['auth.register', 'auth.login', 'auth.password_failed'])
    expect(await pingStatus(other.token)).toBe(200)
    expect(await postLogin(user.email, next)).toMatchObject({ status: 401 })
    expect(await postLogin(user.email, password)).toMatchObject({ status: 200 })
  })

  test('exactly one of concurrent changes succeeds', async () => {
    const user = await register()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_item, n) =>
        user.post('/password', { old_password: password, new_password: `new password ${n}` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    const chosen = answers.findIndex(({ status }) => status === 200)
    expect(await postLogin(user.email, `new password ${chosen}`)).toMatchObject({ status: 200 })
  })

  test('no session survives that is opened or refreshed while the password changes', async () => {
    const user = await register()
    const other = await signIn(user)
    const body = { old_password: password, new_password: next }
    const [changed, ...answers] = await Promise.all([
      user.post('/password', body),
      ...Array.from({ length: 8 }, () => postLogin(user.email, password)),
      ...Array.from({ length: 4 }, () => postRefresh(other.refreshToken)),
    ])
    expect(changed).toMatchObject({ status: 200 })
    const opened = answers.filter(({ status }) => status === 200)
    const alive = await Promise.all(opened.map(({ data }) => pingStatus(data.access_token)))
    expect(alive).toEqual(opened.map(() => 401))
    expect(await pingStatus(user.token)).toBe(200)
  })

  test('a platform administrator with another tenant in scope changes their own password', async () => {
    const tenant = await newTenant()
    const root = await platformAdmin()
    const member = await builtIn.member()
    const { data: roles } = await root.get('/rbac/roles')
    const role = roles.find(({ name }: { name: string }) => name === 'platform-admin')
    await root.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id })
    const body = { old_password: password, new_password: next }
    expect(await member.post('/password', body, { tenant: tenant.id })).toMatchObject({ status: 200 })
    expect(await postLogin(member.email, next)).toMatchObject({ status: 200 })
    expect(await actionsOf(member)).toContain('auth.password_change')
    await root.delete(`/users/${member.userId}`)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['no old password', { new_password: next }],
    ['an empty old password', { old_password: '', new_password: next }],
    ['no new password', { old_password: password }],
    ['a new password of 7 characters', { old_password: password, new_password: 'p4ssw0r' }],
    ['a new password of 7 code points', { old_password: password, new_password: '🦉'.repeat(7) }],
    ['a new password of 129 characters', { old_password: password, new_password: 'p'.repeat(129) }],
    ['a new password of 129 code points', { old_password: password, new_password: '🦉'.repeat(129) }],
    ['a new password that is a number', { old_password: password, new_password: 12345678 }],
  ])('changing it with %s is 400', async (_what, body) => {
    const root = await platformAdmin()
    const answer = await root.post('/password', body)
    expect(answer.status).toBe(400)
    expect(await pingStatus(root.token)).toBe(200)
  })

  test.each<[string, string]>([
    ['8 characters', 'p4ssw0rd'],
    ['8 code points', '🦉'.repeat(8)],
    ['128 characters', 'p'.repeat(128)],
    ['128 code points', '🦉'.repeat(128)],
  ])('a new password of %s is taken', async (_what, chosen) => {
    const user = await register()
    const answer = await user.post('/password', { old_password: password, new_password: chosen })
    expect(answer).toMatchObject({ status: 200 })
    expect(await postLogin(user.email, chosen)).toMatchObject({ status: 200 })
  })

  test('a request without a token changes no password', async () => {
    const body = { old_password: password, new_password: next }
    expect(await call('POST', '/password', { body })).toMatchObject({ status: 401, body: { code: 40101 } })
  })

  test('the token decides whose password changes, never the body', async () => {
    const [user, victim] = [await register(), await register()]
    const body = { old_password: password, new_password: next, user_id: victim.userId, email: victim.email }
    expect(await user.post('/password', body)).toMatchObject({ status: 200 })
    expect(await postLogin(victim.email, password)).toMatchObject({ status: 200 })
    expect(await postLogin(user.email, next)).toMatchObject({ status: 200 })
  })
})
