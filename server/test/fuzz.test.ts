/** A short run of the fuzzer of `npm run prove`, at the service of the tests. */
import { expect, test } from 'vitest'
import { signIn } from '../../lab/client.ts'
import { openFuzz, sendAll } from '../../prove/suites/input/fuzz.ts'
import { assign, builtIn, ok, password, platformAdmin, register, systemRoleId } from './factories.ts'
import { service } from './harness.ts'

/** The same requests in each run; another seed by PROVE_SEED. */
const seed = Number(process.env['PROVE_SEED'] ?? 23)

test('no malformed or extreme request of a token, a key or nobody makes any operation fail', async () => {
  const admin = await register()
  await assign(builtIn.id, admin.userId, systemRoleId('platform-admin'))
  const root = await signIn(service.url, admin.email, password)
  const target = {
    kind: 'given' as const,
    short: true,
    url: service.url,
    env: undefined,
    close: async () => {},
  }
  const fuzz = await openFuzz({ ...target, root }, { requests: 400, seed })
  try {
    await sendAll(fuzz)
  } finally {
    await fuzz.close()
  }
  const breaches = Object.values(fuzz.breaches).flatMap((found) =>
    [...found].map(([text, { smallest }]) => `${text}: ${smallest}`),
  )
  expect(breaches).toEqual([])
  expect(fuzz.sent).toBeGreaterThan(350)
  ok(await (await platformAdmin()).delete(`/users/${admin.userId}`, { tenant: builtIn.id }))
})
