import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newTenant, ok, password, register, unique } from '../../../../test/factories.ts'
import { call, clock, parts, startApp } from '../../../../test/harness.ts'
import { postLogin, postRefresh, postRegister, credentials } from '../../../../test/accounts.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { addTotp, postFactor, secondStepOf, wrongCode } from '../../../../test/second-factors.ts'

const day = 24 * 3_600_000
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newerFirefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const server = useMailServer()

const subjectsTo = async (email: string): Promise<string[]> => {
  await deliver(server)
  return server.to(email).map(({ subject }) => subject)
}

const signInWith = (email: string, agent: string, language = 'en') =>
  postLogin(email, password, { headers: { 'user-agent': agent, 'accept-language': language } })

const registerWith = async (agent: string, language: string) => {
  const mine = credentials()
  await postRegister(mine, { headers: { 'user-agent': agent, 'accept-language': language } })
  return mine
}

describe('a security notice', () => {
  test('reports a changed password', async () => {
    const user = await register()
    await user.post('/password', { old_password: password, new_password: 'another good password' })
    expect(await subjectsTo(user.email)).toContain('Your password was changed')
  })

  test('tells the old address that an administrator changed it', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await tenant.admin.put(`/users/${user.userId}`, { email: `${unique()}@example.com` })
    expect((await subjectsTo(user.email)).at(-1)).toBe('Your e-mail address was changed')
  })

  test('reports a sign-in from another browser or system, and none from a known device', async () => {
    const { email } = await registerWith(firefox, 'en')
    await signInWith(email, newerFirefox)
    expect(await subjectsTo(email)).toEqual(['Confirm your e-mail address'])
    await signInWith(email, safari)
    await signInWith(email, safari)
    expect(await subjectsTo(email)).toEqual(['Confirm your e-mail address', 'New sign-in to your account'])
    expect(server.to(email).at(-1)?.source).toContain('Safari on iOS')
  })

  test('tells nothing of the first sign-in of a created user, and of the next one from elsewhere', async () => {
    const tenant = await newTenant()
    const username = unique()
    const email = `${username}@example.com`
    ok(await tenant.admin.post('/users', { email, username, password }))
    ok(await signInWith(email, firefox))
    expect(await subjectsTo(email)).toEqual([])
    ok(await signInWith(email, safari))
    expect(await subjectsTo(email)).toEqual(['New sign-in to your account'])
  })

  test('tells nothing of the first sign-in after e-mail was switched on', async () => {
    const silent = await startApp({}, undefined, { mailer: undefined })
    const mine = credentials()
    try {
      ok(await postRegister(mine, { at: silent, headers: { 'user-agent': firefox } }))
    } finally {
      await silent.app.close()
    }
    ok(await signInWith(mine.email, safari))
    expect(await subjectsTo(mine.email)).toEqual([])
    ok(await signInWith(mine.email, firefox))
    expect(await subjectsTo(mine.email)).toEqual(['New sign-in to your account'])
  })

  test('reports a device again after 90 days without it', async () => {
    const { email } = await registerWith(firefox, 'en')
    clock.advance(89 * day)
    await signInWith(email, firefox)
    clock.advance(89 * day)
    await signInWith(email, firefox)
    expect(await subjectsTo(email)).toEqual([])
    clock.advance(91 * day)
    await signInWith(email, firefox)
    expect(await subjectsTo(email)).toEqual(['New sign-in to your account'])
  })

  test('quotes nothing of the user agent of a stranger', async () => {
    const { email } = await registerWith(firefox, 'en')
    await signInWith(email, '<b>Call 0900</b> https://evil.example')
    expect(await subjectsTo(email)).toContain('New sign-in to your account')
    expect(server.to(email).at(-1)?.source).not.toMatch(/evil|0900/)
  })

  test('reports an added second factor, and a removed one', async () => {
    const user = await register()
    const app = await addTotp(user, 'Old telephone')
    // The e-mail of the registration is sent at the same time, before or after.
    expect(await subjectsTo(user.email)).toContain('Two-step verification: method added')
    await user.post(`/auth/factors/${app.id}/remove`, { password })
    expect((await subjectsTo(user.email)).at(-1)).toBe('Two-step verification: method removed')
    const { source = '' } = server.to(user.email).at(-1) ?? {}
    expect(source).toContain('Old telephone')
    expect(source).not.toContain(app.secret)
  })

  test('reports factors that an administrator removed', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await addTotp(user)
    await tenant.admin.delete(`/users/${user.userId}/factors`)
    expect(await subjectsTo(user.email)).toContain('Two-step verification: method removed')
  })

  test('tells once of many wrong codes', async () => {
    const user = await register()
    const { secret } = await addTotp(user)
    for (let round = 0; round < 5; round += 1) {
      const { challenge } = await secondStepOf(user.email)
      const code = wrongCode(secret)
      for (let count = 0; count < 5; count += 1) await postFactor({ challenge, code })
    }
    const subjects = await subjectsTo(user.email)
    expect(subjects.filter((one) => one === 'Many wrong codes for your account')).toHaveLength(1)
  })

  test('a failed sign-in sends none', async () => {
    const { email } = await registerWith(firefox, 'en')
    await postLogin(email, 'not the password', { headers: { 'user-agent': safari } })
    expect(await subjectsTo(email)).toEqual(['Confirm your e-mail address'])
  })

  test('the database knows devices as HMACs alone', async () => {
    const { email } = await registerWith(firefox, 'en')
    const rows = await parts.store.scoped({}).many<{ row: string }>(sql`
      select to_jsonb(d)::text as row from account_devices d
      join accounts a on a.id = d.account_id where a.email = ${email}`)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toMatch(/firefox|linux/i)
  })
})

describe('the language of an e-mail', () => {
  test('is that of the last sign-in or refresh, whatever language a stranger asks in', async () => {
    const { email } = await registerWith(firefox, 'zh-CN,zh;q=0.9,en;q=0.8')
    const ask = () =>
      call('POST', '/auth/password/forgot', { body: { email }, headers: { 'accept-language': 'en' } })
    await ask()
    expect(await subjectsTo(email)).toEqual(['确认您的邮箱地址', '重置您的密码'])
    const pair = ok(await signInWith(email, firefox, 'en-GB'))
    await ask()
    expect((await subjectsTo(email)).at(-1)).toBe('Reset your password')
    ok(await postRefresh(pair.refresh_token, { headers: { 'accept-language': 'zh' } }))
    await ask()
    expect((await subjectsTo(email)).at(-1)).toBe('重置您的密码')
  })

  test('is that of the request where the person never named one', async () => {
    const tenant = await newTenant()
    const username = unique()
    const email = `${username}@example.com`
    await tenant.admin.post('/users', { email, username, password })
    await call('POST', '/auth/password/forgot', { body: { email }, headers: { 'accept-language': 'zh' } })
    expect(await subjectsTo(email)).toEqual(['重置您的密码'])
  })
})
