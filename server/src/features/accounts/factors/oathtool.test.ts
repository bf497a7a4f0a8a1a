/** Compares the service's codes with those of OATH Toolkit, another implementation of RFC 6238. */
import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin } from '../../../../test/factories.ts'
import { clock } from '../../../../test/harness.ts'
import { addTotp, beginTotp, codeOf, postFactor, secondStepOf } from '../../../../test/second-factors.ts'
import { onPostgres } from '../../../../test/test-database.ts'

const oathtool = (secret: string): string =>
  execFileSync(
    'oathtool',
    ['--totp', '--base32', `--now=${clock.now().toISOString().replace('T', ' ')}`, secret],
    {
      encoding: 'utf8',
    },
  ).trim()

// The embedded tests need only Node. For the tests on services, .ci/run installs the Debian package `oathtool`.
describe.runIf(onPostgres)('a code of oathtool', () => {
  beforeAll(() => platformAdmin())

  test('is the code of an authenticator app, at any time', async () => {
    const user = await (await newTenant()).member()
    const { secret } = ok(await beginTotp(user))
    for (let step = 0; step < 10; step += 1) {
      clock.advance(37_000)
      expect(oathtool(secret)).toBe(codeOf(secret))
    }
  })

  test('confirms an app, and signs in', async () => {
    const user = await (await newTenant()).member()
    const { id, secret } = ok(await beginTotp(user))
    ok(await user.post(`/auth/factors/totp/${id}/confirm`, { code: oathtool(secret) }))
    clock.advance(30_000)
    const { challenge } = await secondStepOf(user.email)
    expect((await postFactor({ challenge, code: oathtool(secret) })).status).toBe(200)
  })

  test('a code of the step before is accepted, since clocks differ', async () => {
    const user = await (await newTenant()).member()
    const app = await addTotp(user)
    clock.advance(60_000)
    const code = oathtool(app.secret)
    clock.advance(30_000)
    const { challenge } = await secondStepOf(user.email)
    expect((await postFactor({ challenge, code })).status).toBe(200)
  })
})
