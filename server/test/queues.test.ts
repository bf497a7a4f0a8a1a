/** The ages of the oldest waiting rows, as the metrics report them. */
import { expect, onTestFinished, test } from 'vitest'
import { oldestUnsealedSeconds } from '../src/features/audit/audit/seal.service.ts'
import { oldestMailSeconds } from '../src/features/accounts/mail/sender.service.ts'
import { createMetrics, observeQueues } from '../src/metrics.ts'
import { credentials, postRegister } from './accounts.ts'
import { register } from './factories.ts'
import { call, clock, parts } from './harness.ts'
import { openInstallation, startOn } from './installation.ts'

// On a database of its own: other tests leave records of later times.
test('an audit record that nobody seals grows old', async () => {
  const installation = await openInstallation()
  const at = await startOn(installation.parts)
  onTestFinished(async () => {
    await at.app.close()
    await installation.remove()
  })
  expect((await postRegister(credentials(), { at })).status).toBe(200)
  clock.advance(3_600_000)
  expect(await oldestUnsealedSeconds(installation.parts)).toBeGreaterThanOrEqual(3600)
})

test('an e-mail that nobody sends grows old, until its link expires', async () => {
  const { email } = await register()
  expect((await call('POST', '/auth/password/forgot', { body: { email } })).status).toBe(200)
  clock.advance(600_000)
  expect(await oldestMailSeconds(parts)).toBeGreaterThanOrEqual(600)
  clock.advance(30 * 86_400_000)
  expect(await oldestMailSeconds(parts)).toBe(0)
})

test('a queue that cannot be read has no age, and does not fail the scrape', async () => {
  const metrics = createMetrics()
  const fail = async () => {
    throw new Error('away')
  }
  observeQueues(metrics, {
    ages: { audit: async () => 7, mail: fail },
    webhookBacklog: fail,
  })
  const lines = (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => /^tenantry_(?:queue|webhook_backlog)/.test(line))
  expect(lines).toEqual(['tenantry_queue_age_seconds{queue="audit"} 7'])
})
