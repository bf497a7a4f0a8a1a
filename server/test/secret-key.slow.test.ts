/** The secret key as an operator meets it: given, missing, rotated, lost. */
import { Secret, TOTP } from 'otpauth'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startReceiver, type Receiver } from '../../lab/receiver.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, createStores, endAll, run, start, type Stores } from './programs.ts'
import { onPostgres } from './test-database.ts'

const account = { email: 'root@example.com', password: 'correct horse battery' }
const admin = { TENANTRY_ADMIN_EMAIL: account.email, TENANTRY_ADMIN_PASSWORD: account.password }
const keyOf = (text: string) => Buffer.alloc(32, text).toString('base64')

let stores: Stores
let receiver: Receiver
beforeAll(async () => {
  stores = await createStores()
  receiver = await startReceiver()
})
afterAll(async () => {
  endAll()
  await receiver.stop()
  await stores.remove()
})

const startWith = (keys?: string): Promise<Replica> =>
  start({
    ...stores.env,
    ...admin,
    LOG_LEVEL: 'fatal',
    TENANTRY_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    ...(keys ? { TENANTRY_SECRET_KEY: keys } : {}),
  })

const refusalWith = async (keys?: string): Promise<string> => {
  const env = { ...stores.env, LOG_LEVEL: 'fatal', ...(keys ? { TENANTRY_SECRET_KEY: keys } : {}) }
  const { code, stderr } = await run(['start'], env)
  expect(code).toBe(1)
  return stderr
}

const signIn = async (program: Replica) => {
  const { status, body } = await ask(program, 'POST /auth/login', { body: account })
  expect(status).toBe(200)
  return body.data as { access_token: string; refresh_token: string }
}

/** Starts, signs in and stops: the signing keys open. */
const expectUsable = async (keys?: string) => {
  const program = await startWith(keys)
  const tokens = await signIn(program)
  await program.end('SIGINT')
  return tokens
}

test('a rotated key opens all secrets alone, and a start with the former one is refused', async () => {
  const former = keyOf('former')
  const tokens = await expectUsable(former)
  await expectUsable(`${keyOf('next')},${former}`)
  const env = { ...stores.env, TENANTRY_SECRET_KEY: `${keyOf('next')},${former}` }
  const rotated = await run(['rotate-secrets'], env)
  expect([rotated.code, rotated.stderr]).toEqual([0, ''])
  expect(Number(/^(\d+) secrets were encrypted anew/.exec(rotated.stdout)?.[1])).toBeGreaterThanOrEqual(3)
  expect((await run(['rotate-secrets'], env)).stdout).toMatch(/^0 secrets/)
  const program = await startWith(keyOf('next'))
  const refreshed = await ask(program, 'POST /auth/refresh', {
    body: { refresh_token: tokens.refresh_token },
  })
  expect(refreshed.status).toBe(200)
  await program.end('SIGINT')
  expect(await refusalWith(former)).toMatch(
    /encrypted with the secret key [\da-f]{16}, which .* does not hold/,
  )
})

/** Codes as an authenticator app shows them, of the step after the present one. */
const nextCode = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 })

interface Factor {
  secret: string
  recoveryCodes: string[]
}

/** Adds an authenticator app to an account of its own, so that the administrator signs in as before. */
const addFactor = async (program: Replica, email: string): Promise<Factor> => {
  const { password } = account
  const registered = await ask(program, 'POST /auth/register', {
    body: { email, username: email.split('@')[0], password },
  })
  const token = registered.body.data.access_token as string
  const begun = await ask(program, 'POST /auth/factors/totp', { token, body: { name: 'App', password } })
  const { id, secret } = begun.body.data as { id: string; secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const confirmed = await ask(program, `POST /auth/factors/totp/${id}/confirm`, { token, body: { code } })
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes as string[] }
}

/** The second step that a login asks for. */
const secondStep = async (program: Replica, email: string) => {
  const { body } = await ask(program, 'POST /auth/login', { body: { email, password: account.password } })
  return body.data as { challenge: string; methods: string[] }
}

let factor: Factor

test('an authenticator app continues after the rotation of the key', async () => {
  const [first, second] = [keyOf('next'), `${keyOf('after')},${keyOf('next')}`]
  let program = await startWith(first)
  factor = await addFactor(program, 'ada@example.com')
  await program.end('SIGINT')
  const { stderr } = await run(['rotate-secrets'], { ...stores.env, TENANTRY_SECRET_KEY: second })
  expect(stderr).toBe('')
  program = await startWith(keyOf('after'))
  const { challenge, methods } = await secondStep(program, 'ada@example.com')
  expect(methods).toEqual(['totp', 'recovery_code'])
  const answer = await ask(program, 'POST /auth/login/factor', {
    body: { challenge, code: nextCode(factor.secret) },
  })
  expect(answer.status).toBe(200)
  await program.end('SIGINT')
})

let hook: { id: number; secret: string }

/** Sends a test of the webhook, and has the receiver verify it. Throws when the secret did not sign it. */
const verifyTest = async (program: Replica, token: string, secret: string): Promise<void> => {
  const { status } = await ask(program, `POST /webhooks/${hook.id}/test`, { token })
  expect(status).toBe(200)
  const { text = '', headers = {} } = receiver.received.at(-1) ?? {}
  new Verifier(secret).verify(text, headers as Record<string, string>)
}

test('a webhook signs by its secret after the rotation of the key', async () => {
  let program = await startWith(keyOf('after'))
  const { access_token: token } = await signIn(program)
  const body = { url: receiver.url, events: ['*'] }
  hook = (await ask(program, 'POST /webhooks', { token, body })).body.data
  await verifyTest(program, token, hook.secret)
  await program.end('SIGINT')
  const keys = `${keyOf('last')},${keyOf('after')}`
  expect((await run(['rotate-secrets'], { ...stores.env, TENANTRY_SECRET_KEY: keys })).stderr).toBe('')
  program = await startWith(keyOf('last'))
  await verifyTest(program, token, hook.secret)
  await program.end('SIGINT')
})

test('reset-secrets makes new signing keys after the loss of the key; passwords stay and tokens end', async () => {
  const before = await expectUsable(keyOf('last'))
  expect(await refusalWith(keyOf('new'))).toContain('tenantry reset-secrets')
  const { code, stdout } = await run(['reset-secrets'], { ...stores.env, TENANTRY_SECRET_KEY: keyOf('new') })
  expect([code, stdout]).toEqual([0, expect.stringContaining('all users sign in again')])
  const program = await startWith(keyOf('new'))
  const { status } = await ask(program, 'POST /auth/refresh', {
    body: { refresh_token: before.refresh_token },
  })
  expect(status).toBe(401)
  const { access_token: token } = await signIn(program)
  const logs = await ask(program, 'GET /audit/logs?action=secret.reset', { token })
  expect(logs.body.data.total).toBe(1)
  // The secret of the webhook is gone with the key. Another one makes it go on.
  const shown = await ask(program, `GET /webhooks/${hook.id}`, { token })
  expect(shown.body.data.disabled_reason).toBe('Its secret is lost: make another one')
  expect((await ask(program, `POST /webhooks/${hook.id}/test`, { token })).status).toBe(503)
  const made = await ask(program, `POST /webhooks/${hook.id}/secret`, { token, body: {} })
  await verifyTest(program, token, made.body.data.secret)
  // The app is gone with the key. Its recovery codes still guard the account.
  const { challenge, methods } = await secondStep(program, 'ada@example.com')
  expect(methods).toEqual(['recovery_code'])
  const recovered = await ask(program, 'POST /auth/login/factor', {
    body: { challenge, recovery_code: factor.recoveryCodes[0] },
  })
  expect(recovered.status).toBe(200)
  await program.end('SIGINT')
  expect((await run(['audit', 'verify'], { ...stores.env, TENANTRY_SECRET_KEY: keyOf('new') })).code).toBe(0)
})

// The embedded database makes a secret key of its own.
test.runIf(onPostgres)(
  'a start says of signing keys in the clear that rotate-secrets encrypts them',
  async () => {
    const fresh = await createStores()
    onTestFinished(() => fresh.remove())
    const { code } = await run(['migrate'], { ...fresh.env, TENANTRY_SECRET_KEY: '' })
    expect(code).toBe(0)
    const env = { ...fresh.env, LOG_LEVEL: 'warn', TENANTRY_SECRET_KEY: keyOf('late') }
    const warnings = async () => {
      const program = await start(env)
      await program.end('SIGINT')
      return program.records().filter(({ msg }) => /in the clear/.test(String(msg)))
    }
    expect(await warnings()).toHaveLength(1)
    expect((await run(['rotate-secrets'], env)).code).toBe(0)
    expect(await warnings()).toEqual([])
  },
)
