/** Enterprise sign-in, in a real browser, with a real name server and real providers (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, unique } from '../../server/test/factories.ts'
import { startApp, type Running } from '../../server/test/harness.ts'
import { startNameServer, type NameServer } from '../../lab/name-server.ts'
import { providerSecret, startProvider, type TestProvider } from '../../server/test/provider.ts'
import { textsBy } from '../../server/src/outbound/texts.ts'
import { inspect, signIn, visit } from './visit.ts'

/** The TXT records that the name server has. */
const texts: Record<string, string[][] | 'fails'> = {}
let names: NameServer
let provider: TestProvider
let at: Running

beforeAll(async () => {
  names = await startNameServer({}, texts)
  provider = await startProvider()
  at = await startApp({}, undefined, { readTexts: textsBy([names.server]) })
})
afterAll(async () => {
  await at.app.close()
  await provider.stop()
  await names.stop()
})

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')

describe('the page “Sign-in”', () => {
  test('leads from a domain and its record to a draft, its addresses and its people', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const own = await newTenant()
    const domain = `${unique('d')}.example.com`
    await signIn(page, own.admin.email, 'connections', at.url)
    await page.getByText('No domains yet').waitFor()
    await inspect(page, 'sso-empty')
    await page.getByLabel('Add domain').fill('gmail.com')
    await press(page, 'Add domain')
    await page.getByText('Anybody can have names or addresses').waitFor()
    await page.getByLabel('Add domain').fill(`Ada@${domain.toUpperCase()}`)
    await press(page, 'Add domain')
    const article = page.getByRole('article', { name: domain })
    await article.getByText('Not verified').waitFor()
    await press(page, 'Copy the value of the record')
    const value = await page.evaluate<string>('navigator.clipboard.readText()')
    await press(page, 'Look now')
    await article.getByText('The record is not there yet').waitFor()
    await inspect(page, 'sso-domain')
    texts[`_tenantry-challenge.${domain}`] = [['other'], [value]]
    await press(page, 'Look now')
    await article.getByText('Verified', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Create connection' }).click()
    await page.getByRole('heading', { name: 'New connection', level: 1 }).waitFor()
    await inspect(page, 'sso-new')
    await page.getByRole('radio', { name: 'Keycloak' }).check()
    await page.getByLabel('Issuer').fill(`${provider.issuer}/other`)
    await page.getByLabel('Client id').fill('tenantry')
    await page.getByRole('textbox', { name: 'Client secret' }).fill(providerSecret)
    await press(page, 'Create draft and continue')
    await page.getByText('No provider of OpenID Connect answers').waitFor()
    await page.getByLabel('Issuer').fill(provider.issuer)
    await press(page, 'Guide for Keycloak')
    await dialog(page).getByText('“Clients”, “Create client”').waitFor()
    await inspect(page, 'sso-guide')
    await page.keyboard.press('Escape')
    await press(page, 'Create draft and continue')
    await page.getByRole('heading', { name: 'Keycloak', level: 1 }).waitFor()
    await press(page, 'Copy the redirect address')
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/\/sso\/oidc\/[\w-]+\/callback$/)
    await inspect(page, 'sso-step2')
    await press(page, 'Continue')
    await page.getByRole('checkbox', { name: domain }).check()
    await inspect(page, 'sso-step3')
    await press(page, 'Save and continue')
    await page.getByRole('heading', { name: 'Test', level: 2 }).waitFor()
    await inspect(page, 'sso-step4')
    const [made] = ok(await own.admin.get('/connections'))
    expect(made).toMatchObject({ name: 'Keycloak', status: 'draft', domains: [domain], subject_claim: 'sub' })
    await page.getByRole('tab', { name: 'Groups to roles' }).click()
    await inspect(page, 'sso-groups')
    await page.getByRole('tab', { name: 'Directory' }).click()
    await inspect(page, 'sso-directory')
    await page.getByRole('tab', { name: 'Attempts' }).click()
    await inspect(page, 'sso-attempts')
    expect(complaints).toEqual([])
  })
})
