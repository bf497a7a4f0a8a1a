/** Where people are signed in, and signing out, in a real browser (`npm run test:browser`). */
import { beforeAll, expect, test } from 'vitest'
import { newTenant, type Tenant } from '../../server/test/factories.ts'
import { phone, signInOn, statusOf, storedToken } from './devices.ts'
import { expectSoon, inspect, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

test('an administrator signs a user out everywhere', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  await signInOn(user, phone)
  await signIn(page, tenant.admin.email, `users/${user.userId}`)
  await page.getByRole('list', { name: 'Active sessions' }).getByText('Safari on iPhone').waitFor()
  await inspect(page, 'user-sessions')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByText('This user isn’t signed in anywhere.').waitFor()
  expect(await statusOf(user.token)).toBe(401)
  expect(complaints).toEqual([])
})

test('signing out by the menu ends the session at the service', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  await signIn(page, user.email)
  const token = await storedToken(page)
  expect(await statusOf(token)).toBe(200)
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
  await expectSoon(() => statusOf(token)).toBe(401)
  expect(await statusOf(user.token)).toBe(200)
  expect(complaints).toEqual([])
})
