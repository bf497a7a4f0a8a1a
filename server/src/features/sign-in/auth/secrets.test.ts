import { expect, test } from 'vitest'
import { newTenant, password, platformAdmin, register, unique } from '../../../../test/factories.ts'
import { call, type Answer } from '../../../../test/harness.ts'
import { createLogger } from '../../../log.ts'
import {
  importUser,
  postLogin,
  postRefresh,
  postRegister,
  recordsOf,
  storedPassword,
} from '../../../../test/accounts.ts'
import { startOn } from '../../../../test/installation.ts'

/** Any bcrypt hash, whole or without its salt. */
const bcryptHash = /\$2[abxy]\$\d\d/

test('no answer of the API holds a password, a hash or its scheme', async () => {
  const tenant = await newTenant()
  const { admin } = tenant
  const user = await tenant.member()
  const body = { username: unique('u'), password: 'a very secret password' }
  const answers: Answer[] = [
    await call('GET', '/profile', { token: user.token }),
    await admin.get('/users'),
    await admin.get(`/users/${user.userId}`),
    await admin.post('/users', { ...body, email: `${body.username}@example.com` }),
    await admin.post('/users', { ...body, email: `${body.username}@example.com` }),
    await admin.put(`/users/${user.userId}`, { nickname: 'Nick', password: 'a very secret password' }),
    await postRegister({ ...body, email: 'no e-mail' }),
    await postLogin(user.email, 'a very secret password'),
    await user.post('/password', { old_password: 'a very secret password', new_password: 'short' }),
    await user.post('/password', { old_password: password, new_password: 'a very secret password' }),
    await admin.get('/audit/logs?page_size=200'),
  ]
  const text = JSON.stringify(answers.map((answer) => answer.body))
  expect(text).not.toMatch(bcryptHash)
  expect(text).not.toContain('a very secret password')
  expect(text).not.toMatch(/password_hash|password_scheme|bcrypt/)
})

test('neither audit log nor service log holds a password, a hash, a token or a key', async () => {
  await platformAdmin()
  const lines: string[] = []
  const log = createLogger('trace', { write: (line: string) => void lines.push(line) })
  const at = await startOn({ log })
  const secrets = ['secret number one', 'secret number two', 'secret number three']
  const [first = '', second = '', third = ''] = secrets
  const user = await register()
  const imported = await importUser('$2y$05$nonsense')
  const own = { token: user.token, at }
  const refreshed = await postRefresh(user.refreshToken, { at })
  await postLogin(user.email, first, { at })
  await postLogin(imported.email, first, { at })
  await postLogin(`${first}@example.com`, second, { at })
  await postRegister({ email: user.email, username: unique(), password: second }, { at })
  await postRegister({ email: 'nonsense', username: '', password: second }, { at })
  await call('POST', '/password', { ...own, body: { old_password: third, new_password: second } })
  await call('POST', '/password', { ...own, body: { old_password: password, new_password: second } })
  await call('GET', `/ping?access_token=${user.token}`, { at })
  await postRefresh(user.refreshToken, { at })
  await at.app.close()

  const stored = await storedPassword(user.email)
  const told = [
    ...lines,
    JSON.stringify(await recordsOf(user)),
    JSON.stringify(await recordsOf(imported)),
  ].join('')
  expect(lines.length).toBeGreaterThan(5)
  expect(told).not.toMatch(bcryptHash)
  expect(stored?.password_hash).toMatch(bcryptHash)
  for (const secret of [
    second,
    third,
    password,
    user.token,
    user.refreshToken,
    stored?.password_hash ?? '',
  ]) {
    expect(told).not.toContain(secret)
  }
  expect(told).not.toContain(refreshed.data.access_token)
  expect(told).not.toContain('PRIVATE KEY')
})
