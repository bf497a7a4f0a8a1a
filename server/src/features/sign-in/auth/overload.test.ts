import { expect, test } from 'vitest'
import { password, register } from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { createHasher } from '../../../crypto/passwords.ts'
import { createLogger } from '../../../log.ts'
import { credentials, pingStatus, postLogin } from '../../../../test/accounts.ts'
import { startOn } from '../../../../test/installation.ts'

test('sign-ins beyond the queue are 503 with Retry-After, the others wait their turn, and each gets an answer', async () => {
  const user = await register()
  // The hash is so slow that none ends before all sign-ins have begun.
  const hasher = await createHasher(9)
  // The service logs every refusal as an error, which would clutter the test's output.
  const at = await startOn({ hasher, log: createLogger('fatal', { write: () => undefined }) })
  const unknown = credentials().email
  const flood = Promise.all(Array.from({ length: 220 }, () => postLogin(unknown, password, { at })))
  const ping = await call('GET', '/ping', { token: user.token, at })
  const answers = await flood
  expect(ping.status).toBe(200)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(50)
  expect(refused.length + answers.filter(({ status }) => status === 401).length).toBe(220)
  for (const { body, headers } of refused) {
    expect(body).toMatchObject({ code: 50301, data: null })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(hasher.stats()).toEqual({ running: 0, waiting: 0 })
  expect(await postLogin(user.email, password, { at })).toMatchObject({ status: 200 })
  expect(await pingStatus(user.token)).toBe(200)
  await at.app.close()
})
