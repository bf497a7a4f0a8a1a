/** Proof of work against robots (docs/contract.md, "Authentication"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packWork, solveWork } from '../../../../../lab/proof-of-work.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import { interactionOf, openBrowser, requestFor } from '../../../../test/browser.ts'
import { keyWith, newTenant, ok, password, platformAdmin, unique } from '../../../../test/factories.ts'
import { newApplication } from '../../../../test/front-door.ts'
import { call, clock, parts, service, startApp, type Running } from '../../../../test/harness.ts'
import { createSecrets } from '../../../crypto/secrets.ts'
import { sweepSpentChallenges } from './robots.service.ts'

const path = '/settings/global/auth.robots'

beforeAll(async () => {
  ok(await (await platformAdmin()).put(path, { value: 'proof_of_work' }))
})
afterAll(async () => {
  ok(await (await platformAdmin()).delete(path))
})

const newChallenge = async (at: Running = service) => ok(await call('GET', '/auth/challenge', { at }))

/** Below this counter, no challenge has a solution. */
const counterMin = 500

const solve = async (at?: Running) => solveWork(await newChallenge(at), counterMin)

const newProof = async (at?: Running): Promise<string> => packWork(await solve(at))

const person = () => ({ email: `${unique('p')}@example.com`, username: unique('u'), password })

const register = (altcha: string | undefined, options: Parameters<typeof call>[2] = {}) =>
  call('POST', '/auth/register', {
    ...options,
    body: { ...person(), ...(altcha !== undefined && { altcha }) },
  })

describe('a solved challenge', () => {
  test('opens register, sign-up and the reset of a password, each once', async () => {
    const email = `${unique('p')}@example.com`
    ok(await register(await newProof()))
    const asked = { email, altcha: await newProof() }
    ok(await call('POST', '/auth/password/forgot', { body: asked }))
    expect(await call('POST', '/auth/password/forgot', { body: asked })).toMatchObject(refusal('workNeeded'))
    const at = await startApp({ signUp: 'organization' })
    const body = { organization: 'Acme', email, altcha: await newProof() }
    ok(await call('POST', '/auth/sign-up', { at, body }))
    expect(await call('POST', '/auth/sign-up', { at, body })).toMatchObject(refusal('workNeeded'))
  })

  test('opens the same steps of an interaction', async () => {
    const application = await newApplication()
    const browser = openBrowser()
    const id = interactionOf(await browser.authorize(requestFor(application).params))
    const { email } = person()
    expect(await browser.act(id, 'forgot', { email })).toMatchObject(refusal('workNeeded'))
    ok(await browser.act(id, 'forgot', { email, altcha: await newProof() }))
    expect(await browser.act(id, 'register', person())).toMatchObject(refusal('workNeeded'))
    const registered = ok(await browser.act(id, 'register', { ...person(), altcha: await newProof() }))
    expect(registered.step).not.toBe('identify')
  })

  test('counts at another replica, and at once at two replicas a single time', async () => {
    const other = await startApp()
    const altcha = await newProof(other)
    const answers = await Promise.all([service, other, service, other].map((at) => register(altcha, { at })))
    expect(tally(answers)).toEqual({ 200: 1, 400: 3 })
  })

  test('is spent by a request that fails for another reason', async () => {
    const altcha = await newProof()
    const root = await platformAdmin()
    const body = { ...person(), email: root.email, altcha }
    expect(await call('POST', '/auth/register', { body })).toMatchObject(refusal('emailTaken'))
    expect(await register(altcha)).toMatchObject(refusal('workNeeded'))
  })

  test('lives 10 minutes, and its mark outlives it', async () => {
    const [early, late, spent] = [await newProof(), await newProof(), await newProof()]
    ok(await register(spent))
    clock.advance(9 * 60_000)
    ok(await register(early))
    clock.advance(61_000)
    expect(await register(late)).toMatchObject(refusal('workNeeded'))
    await sweepSpentChallenges(parts)
    clock.advance(-10 * 60_000 - 1000)
    // A replica whose clock is behind.
    expect(await register(spent)).toMatchObject(refusal('workNeeded'))
  })

  test('is needed neither by the key of a service account nor while the setting is off', async () => {
    const tenant = await newTenant()
    const { token } = await keyWith(tenant.id, [])
    ok(await register(undefined, { token }))
    const user = await tenant.member()
    expect(await register(undefined, { token: user.token })).toMatchObject(refusal('workNeeded'))
    expect(await register(undefined, { token: `${token}x` })).toMatchObject(refusal('workNeeded'))
    const root = await platformAdmin()
    ok(await root.put(path, { value: 'off' }))
    ok(await register(undefined))
    ok(await root.put(path, { value: 'proof_of_work' }))
  })
})

test('every route whose body has altcha refuses a request without it', async () => {
  const at = await startApp({ signUp: 'organization' })
  const asking = at.routes.filter(({ schema }) =>
    Object.hasOwn((schema?.body as { properties?: object } | undefined)?.properties ?? {}, 'altcha'),
  )
  const names = asking.map(({ method, url }) => `${String(method)} ${url}`)
  expect(names).toEqual(
    expect.arrayContaining([
      'POST /oauth2/interactions/:id/forgot',
      'POST /oauth2/interactions/:id/register',
      'POST /oauth2/interactions/:id/sign-up',
      'POST /oauth2/interactions/:id/email-code',
      'POST /api/v1/auth/email-code',
      'POST /api/v1/auth/register',
      'POST /api/v1/auth/password/forgot',
      'POST /api/v1/auth/sign-up',
    ]),
  )
  for (const { url } of asking) {
    const body = { ...person(), organization: 'Acme' }
    const response = await fetch(`${at.url}${url.replace(':id', crypto.randomUUID())}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    })
    expect({ url, answer: await response.json() }).toMatchObject({ url, answer: { code: 40029 } })
  }
})

describe('no registration comes from', () => {
  const tampered: [string, (solved: Awaited<ReturnType<typeof solve>>) => object][] = [
    ['a challenge without a solution', ({ challenge }) => ({ challenge })],
    [
      'a solution that was guessed from the known prefix',
      ({ challenge, solution }) => ({
        challenge,
        solution: { ...solution, derivedKey: challenge.parameters.keyPrefix.padEnd(64, '0') },
      }),
    ],
    [
      'another salt',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, salt: '0'.repeat(32) } },
        solution,
      }),
    ],
    [
      'a lower cost',
      ({ challenge, solution }) => ({
        challenge: { ...challenge, parameters: { ...challenge.parameters, cost: 1 } },
        solution,
      }),
    ],
    [
      'a later end',
      ({ challenge, solution }) => ({
        challenge: {
          ...challenge,
          parameters: { ...challenge.parameters, expiresAt: (challenge.parameters.expiresAt ?? 0) + 1 },
        },
        solution,
      }),
    ],
    [
      'a forged signature',
      ({ challenge, solution }) => ({ challenge: { ...challenge, signature: 'a'.repeat(64) }, solution }),
    ],
    [
      'a number in place of a key',
      ({ challenge }) => ({ challenge, solution: { counter: 1, derivedKey: 1 } }),
    ],
    ['a list', () => []],
  ]

  test('a solved challenge that somebody changed', async () => {
    const solved = await solve()
    for (const [what, tamper] of tampered) {
      expect([what, await register(packWork(tamper(solved)))]).toMatchObject([what, refusal('workNeeded')])
    }
    ok(await register(packWork(solved)))
  })

  test.each(['', 'x', 'bnVsbA==', '"', 'e30='])('the text %j', async (altcha) => {
    expect(await register(altcha)).toMatchObject(refusal('workNeeded'))
  })

  test('another solution of a spent challenge', async () => {
    const { challenge, solution } = await solve()
    ok(await register(packWork({ challenge, solution })))
    const again = { solution: { ...solution, counter: 0 }, challenge, more: 1 }
    expect(await register(packWork(again))).toMatchObject(refusal('workNeeded'))
  })

  test('a challenge of another installation', async () => {
    const secrets = createSecrets([Buffer.alloc(32, 7)])
    const foreign = await startApp({}, undefined, { secrets })
    expect(await register(await newProof(foreign))).toMatchObject(refusal('workNeeded'))
  })
})

test('a challenge of the secret key before the present one counts', async () => {
  const [old, present] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  const before = await startApp({}, undefined, { secrets: createSecrets([old]) })
  const at = await startApp({}, undefined, { secrets: createSecrets([present, old]) })
  const body = { email: `${unique('nobody')}@example.com`, altcha: await newProof(before) }
  expect(ok(await call('POST', '/auth/password/forgot', { at, body }))).toBeNull()
})

test('an installation without a secret key signs no challenge, and lets nobody pass', async () => {
  const at = await startApp({}, undefined, { secrets: createSecrets([]) })
  expect(await call('GET', '/auth/challenge', { at })).toMatchObject(refusal('secretsOff'))
  expect(await register(await newProof(), { at })).toMatchObject(refusal('secretsOff'))
  const root = await platformAdmin()
  expect(await root.put(path, { value: 'proof_of_work' }, { at })).toMatchObject(refusal('secretsOff'))
  ok(await root.put(path, { value: 'proof_of_work' }))
})

test('the options tell whether proof of work is asked for', async () => {
  expect(ok(await call('GET', '/auth/options')).robots).toBe('proof_of_work')
})

test('the setting takes no other value, and belongs to no tenant', async () => {
  const root = await platformAdmin()
  const { admin } = await newTenant()
  expect((await root.put(path, { value: 'on' })).status).toBe(400)
  expect((await admin.put('/settings/tenant/auth.robots', { value: 'proof_of_work' })).status).toBe(400)
})
