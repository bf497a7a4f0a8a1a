/** Providers of the installation, in a real browser, with a real provider (`npm run test:browser`). */
import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import { builtIn, newUser, ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { startApp, type Running } from '../../server/test/harness.ts'
import { providerSecret, startProvider, type TestProvider } from '../../server/test/provider.ts'
import { activateProvider, deleteProviders, newProvider } from '../../server/test/provider-rows.ts'
import { proveTwice } from '../../server/test/second-factors.ts'
import { linkTo } from './mailed.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let at: Running
let idp: TestProvider

/** The public address, which providers get. */
let url: string

beforeAll(async () => {
  idp = await startProvider()
  const port = await freePort()
  url = `http://localhost:${port}`
  at = await startApp({ port, publicUrl: url, issuer: url })
  // Providers of other files are those of the installation too.
  await deleteProviders()
})
afterAll(async () => {
  await at.app.close()
  await idp.stop()
})
afterEach(deleteProviders)

const main = (page: Page) => page.getByRole('main')
const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click()

/** A window of a platform administrator. */
const begin = async (path: string) => {
  const root = await platformAdmin()
  const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(page, root.email, path, url)
  return { page, complaints, root }
}

test('a provider is created by the steps of its kind, changed and deleted', async () => {
  const { page, complaints, root } = await begin('providers')
  await page.getByText('No providers yet').waitFor()
  await inspect(page, 'providers-empty')
  await page.getByRole('link', { name: 'Create provider' }).click()
  await page.getByText('“Authorized redirect URIs”').waitFor()
  const slug = unique('g')
  await page.getByLabel('Slug').fill('No Slug')
  await page.getByText('The redirect URL appears here').waitFor()
  await page.getByLabel('Client ID').fill(' tenantry ')
  await press(page, 'Create draft')
  await page.getByText('Use 1 to 32 lowercase letters').waitFor()
  await page.getByText('Fill in this field.').first().waitFor()
  await inspect(page, 'provider-new-faults')
  await page.getByLabel('Slug').fill(slug)
  await press(page, 'Copy the redirect URL')
  const address = await page.evaluate<string>('navigator.clipboard.readText()')
  await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret')
  await press(page, 'Create draft')
  await page.getByRole('heading', { name: 'Google', level: 1 }).waitFor()
  const [made] = ok(await root.get('/providers', { at }))
  expect(made).toMatchObject({ slug, kind: 'google', client_id: 'tenantry', callback_url: address })
  await inspect(page, 'provider-draft')
  await page.getByLabel('Name').fill('Google accounts')
  await press(page, 'Save')
  await page.getByRole('heading', { name: 'Google accounts', level: 1 }).waitFor()
  await chooseAction(page, 'Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('signed out immediately and unlinked from it').waitFor()
  await inspect(page, 'provider-delete')
  await dialog.getByRole('textbox').fill('Google accounts')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No providers yet').waitFor()
  expect(complaints).toEqual([])
})

test('each kind asks for its own fields, and refusals stand beside them', async () => {
  const { page, complaints, root } = await begin('providers/new')
  ok(await root.post('/providers', newProvider({ slug: 'github' })))
  await page.getByRole('radio', { name: 'GitHub' }).check()
  await page.getByLabel('Client ID').fill('tenantry')
  await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret')
  await press(page, 'Create draft')
  await page.getByText('Another provider has this slug').waitFor()
  await inspect(page, 'provider-new-github')
  await page.getByRole('radio', { name: 'Other' }).check()
  await page.getByLabel('Name').fill('Company')
  await page.getByLabel('Slug').fill('company')
  await page.getByLabel('Issuer').fill('https://accounts.google.com')
  await page.getByLabel('Client ID').fill('tenantry')
  await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret')
  await press(page, 'Create draft')
  await page.getByText('a separate option for this provider').waitFor()
  await inspect(page, 'provider-new-oidc')
  await page.getByRole('radio', { name: 'Microsoft' }).check()
  await page.getByLabel('Who signs in').selectOption('Accounts of one organization')
  await page.getByLabel('Directory (tenant) ID').waitFor()
  await inspect(page, 'provider-new-microsoft')
  await page.getByRole('radio', { name: 'Apple' }).check()
  await page.getByLabel('Services ID').fill('com.example.sign-in')
  await page.getByLabel('Team ID').fill('A1B2C3D4E5')
  await page.getByLabel('Key ID').fill('F6G7H8I9J0')
  await page.getByLabel('Private key').fill('no key')
  await press(page, 'Create draft')
  await page.getByText('aren’t the contents of the .p8 file').waitFor()
  await inspect(page, 'provider-new-apple')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await page.getByLabel('Private key').fill(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await press(page, 'Create draft')
  await page.getByRole('heading', { name: 'Apple', level: 1 }).waitFor()
  await expectSoon(async () => ok(await root.get('/providers', { at })).length).toBe(2)
  expect(complaints).toEqual([])
})

test('the form of the ways to sign in offers all active providers, or some', async () => {
  const { page, root, complaints } = await begin('settings?scope=global')
  const card = page.getByRole('region', { name: 'Ways to sign in' })
  await card.getByText('Passkeys', { exact: true }).waitFor()
  await proveTwice(root)
  const hasFactor = async (): Promise<unknown> =>
    ok(await root.get('/profile?include=has_factor', { at })).has_factor
  await expectSoon(hasFactor).toBe(true)
  await page.reload()
  await card.getByRole('switch', { name: /^Passkeys/ }).waitFor()
  expect(await card.getByRole('switch', { name: 'All providers' }).count()).toBe(0)
  const made = ok(await root.post('/providers', newProvider({ name: 'Company' })))
  await activateProvider(made.id)
  await page.reload()
  await card.getByRole('switch', { name: 'All providers' }).uncheck()
  await card.getByRole('combobox', { name: 'Allowed providers' }).waitFor()
  await card.getByText('Company').first().waitFor()
  await inspect(page, 'settings-providers')
  expect(complaints).toEqual([])
})

test('a provider is tested, activated, and then offered at the sign-in', async () => {
  const { page, root, complaints } = await begin('providers')
  const fields = { kind: 'oidc', issuer: idp.issuer, client_secret: providerSecret, name: 'Company' }
  const made = ok(await root.post('/providers', newProvider(fields), { at }))
  idp.allow(made.callback_url)
  await open(page, `providers/${made.id}`, url)
  await press(page, 'Activate')
  await page.getByText('Test the provider first').waitFor()
  idp.person = undefined
  await press(page, 'Start test')
  await page.getByText('The provider didn’t sign you in, or you canceled').waitFor()
  await inspect(page, 'provider-test-failed')
  idp.person = { sub: unique(), email: (await newUser(builtIn.id)).email, email_verified: true, name: 'Ada' }
  await press(page, 'Test again')
  await page.getByText('You would first have to prove that the e-mail is yours').waitFor()
  await inspect(page, 'provider-test-passed')
  await press(page, 'Activate')
  await page.getByText('Provider Company is active').waitFor()
  await main(page).getByText('Active', { exact: true }).first().waitFor()

  const { page: visitor, complaints: heard } = await visit()
  await open(visitor, 'audit', url)
  const way = visitor.getByRole('link', { name: 'Continue with Company' })
  await way.waitFor()
  await inspect(visitor, 'provider-sign-in')
  await way.press('Enter')
  await visitor.getByRole('heading', { name: 'Prove that this account is yours' }).waitFor()
  await inspect(visitor, 'provider-proof')
  await chooseAction(page, 'Disable')
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Provider Company disabled').waitFor()
  expect([...complaints, ...heard]).toEqual([])
})

test('an invitation is accepted by a provider, without a password', async () => {
  const root = await platformAdmin()
  const fields = { kind: 'oidc', issuer: idp.issuer, client_secret: providerSecret, name: 'Company' }
  const made = ok(await root.post('/providers', newProvider({ ...fields, trusts_email: true }), { at }))
  idp.allow(made.callback_url)
  await activateProvider(made.id)
  const email = `${unique('i')}@example.com`
  idp.person = { sub: unique(), email, email_verified: true, name: 'Ada' }
  const { pathname, hash } = new URL(
    ok(await root.post('/invitations', { email }, { at })).link || (await linkTo(email)),
  )
  const { page, complaints } = await visit()
  await page.goto(`${url}${pathname}${hash}`)
  const way = page.getByRole('button', { name: 'Continue with Company' })
  await way.waitFor()
  await inspect(page, 'invitation-providers')
  await way.press('Enter')
  await page.getByText('You sign in with your account at the provider').waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)
  await inspect(page, 'invitation-brought')
  await page.getByRole('button', { name: 'Accept invitation' }).press('Enter')
  await expectSoon(async () => ok(await root.get(`/users?search=${email}`, { at })).items[0]?.email).toBe(
    email,
  )
  expect(complaints).toEqual([])
})
