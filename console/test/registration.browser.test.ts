/** The first minute on an empty installation, and the sign-in of strangers (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInstallation, startOn, type Installation } from '../../server/test/installation.ts'
import type { Config } from '../../server/src/config/config.ts'
import { password } from '../../server/test/factories.ts'
import type { Running } from '../../server/test/harness.ts'
import { inspect, visit } from './visit.ts'

let installation: Installation
let running: Running

const start = (changes: Partial<Config> = {}): Promise<Running> => {
  const { parts } = installation
  return startOn({ ...parts, config: { ...parts.config, ...changes } })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

beforeAll(async () => {
  installation = await openInstallation()
  running = await start()
})

afterAll(async () => {
  await running.app.close()
  await installation.remove()
})

test('closed registration is not offered', async () => {
  const closed = await start({ signUp: 'closed' })
  const { page, complaints } = await visit()
  await page.goto(closed.url)
  await heading(page, 'Sign in').waitFor()
  await page.getByLabel('E-mail').waitFor()
  expect(await page.getByText('Create').count()).toBe(0)
  expect(await page.getByText('No account yet?').count()).toBe(0)
  expect(complaints).toEqual([])
  await closed.app.close()
})

test('an empty installation leads to creating its first administrator, and then to the console', async () => {
  const { page, complaints } = await visit()
  await page.goto(running.url)
  await heading(page, 'Create the first administrator').waitFor()
  expect(await page.getByRole('button').allTextContents()).toEqual(['', 'Create administrator'])
  await inspect(page, 'register-first')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await heading(page, 'Dashboard').waitFor()
  await page.getByText('Health').waitFor()
  await inspect(page, 'dashboard-new')
  expect(complaints).toEqual([])
})

test('an installation with an administrator starts with the sign-in, which offers registration', async () => {
  const { page, complaints } = await visit()
  await page.goto(running.url)
  await heading(page, 'Sign in').waitFor()
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading(page, 'Create account').waitFor()
  expect(await page.getByText('platform administrator').count()).toBe(0)
  expect(complaints).toEqual([])
})
