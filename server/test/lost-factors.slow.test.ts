/** The operator's commands for people who cannot sign in any more. */
import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, run, start } from './programs.ts'

const account = { email: 'root@example.com', password: 'correct horse battery' }
const admin = { TENANTRY_ADMIN_EMAIL: account.email, TENANTRY_ADMIN_PASSWORD: account.password }

afterAll(endAll)

const login = (program: Replica, password = account.password) =>
  ask(program, 'POST /auth/login', { body: { email: account.email, password } })

test('reset-factors and reset-password let a person in again, end their sessions and are audited', async () => {
  const stores = await createStores()
  const env = { ...stores.env, LOG_LEVEL: 'fatal' }
  let program = await start({ ...env, ...admin })
  const { access_token: token, refresh_token } = (await login(program)).body.data
  const { password } = account
  const begun = await ask(program, 'POST /auth/factors/totp', { token, body: { name: 'App', password } })
  const { id, secret } = begun.body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await ask(program, `POST /auth/factors/totp/${id}/confirm`, { token, body: { code } })
  expect((await login(program)).body.code).toBe(40108)
  await program.end('SIGINT')

  const unknown = await run(['reset-factors', 'nobody@example.com'], env)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'tenantry: no account has the address nobody@example.com\n',
  ])
  const changed = await run(['reset-password', 'ROOT@example.com'], env, 'another good password\n')
  expect([changed.code, changed.stderr]).toEqual([0, ''])
  const short = await run(['reset-password', account.email], env, 'short\n')
  expect([short.code, short.stderr]).toEqual([1, 'tenantry: password must have at least 8 characters\n'])

  program = await start(env)
  expect((await ask(program, 'POST /auth/refresh', { body: { refresh_token } })).status).toBe(401)
  expect((await login(program)).body.code).toBe(40103)
  expect((await login(program, 'another good password')).body.code).toBe(40108)
  await program.end('SIGINT')

  const reset = await run(['reset-factors', account.email], env)
  expect([reset.code, reset.stderr]).toEqual([0, ''])
  program = await start(env)
  const again = await login(program, 'another good password')
  expect(again.status).toBe(200)
  const { body } = await ask(program, 'GET /audit/logs', { token: again.body.data.access_token })
  expect(body.data.items).toMatchObject([
    { action: 'auth.login' },
    { action: 'factor.reset', user_id: 0, user_agent: 'tenantry reset-factors' },
    { action: 'auth.login_failed' },
    { action: 'auth.password_reset', user_id: 0, user_agent: 'tenantry reset-password' },
    { action: 'factor.add' },
    { action: 'factor.begin' },
    { action: 'auth.login' },
    { action: 'user.create' },
  ])
  await program.end('SIGINT')
  await stores.remove()
})

test('sso optional opens a tenant that nothing but its connection leads into', async () => {
  const stores = await createStores()
  const env = { ...stores.env, LOG_LEVEL: 'fatal' }
  const program = await start({ ...env, ...admin })
  const { access_token: token } = (await login(program)).body.data
  const tenant = (await ask(program, 'GET /profile', { token })).body.data.tenant_id as string
  await program.end('SIGINT')
  const opened = await run(['sso', 'optional', tenant], env)
  expect([opened.code, opened.stderr]).toEqual([0, ''])
  expect(opened.stdout).toContain('auth.sso is optional')
  expect((await run(['sso', 'optional', 'nobody'], env)).code).toBe(1)
  const again = await start(env)
  const value = await ask(again, 'GET /settings/tenant/auth.sso', { token, tenant })
  expect(value.body.data.value).toBe('optional')
  await again.end('SIGINT')
  await stores.remove()
})

test('doctor warns of passkeys that were made for another host', async () => {
  const stores = await createStores()
  const env = { ...stores.env, LOG_LEVEL: 'fatal', TENANTRY_PUBLIC_URL: 'http://localhost:8080' }
  const program = await start({ ...env, ...admin })
  const { access_token: token } = (await login(program)).body.data
  const { password } = account
  const { body } = await ask(program, 'POST /auth/factors/passkey/options', { token, body: { password } })
  const response = createAuthenticator().create(body.data, { origin: 'http://localhost:8080' })
  const added = await ask(program, 'POST /auth/factors/passkey', { token, body: { name: 'x', response } })
  expect(added.status).toBe(200)
  await program.end('SIGINT')
  expect((await run(['doctor'], env)).stdout).toContain('ok    passkeys: made for localhost')
  const moved = { ...env, TENANTRY_PUBLIC_URL: 'https://admin.example.com' }
  expect((await run(['doctor'], moved)).stdout).toContain(
    'warn  passkeys: those of localhost do not work at admin.example.com',
  )
  await stores.remove()
})
