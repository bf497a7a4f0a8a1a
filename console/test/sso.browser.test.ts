/** Enterprise sign-in, in a real browser, with a real name server and real providers (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { startNameServer, type NameServer } from '../../lab/name-server.ts'
import { freePort } from '../../lab/processes.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { postLogin } from '../../server/test/accounts.ts'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { service, startApp, type Running } from '../../server/test/harness.ts'
import { providerSecret, startProvider, type TestProvider } from '../../server/test/provider.ts'
import { textsBy } from '../../server/src/outbound/texts.ts'
import { activate, fieldsOf, insertDomain } from '../../server/test/sso.ts'
import { addTotp } from '../../server/test/second-factors.ts'
import { scim } from '../../server/test/directories.ts'
import { systemRoleIds } from '../src/session/built-in.ts'
import { openShop } from './front-door.ts'
import { linkTo, mailsTo } from './mailed.ts'
import { startSamlSite } from './saml-site.ts'
import { expectSoon, inspect, open, signIn, visit } from './visit.ts'

/** The TXT records that the name server has. */
const texts: Record<string, string[][] | 'fails'> = {}
let names: NameServer
let provider: TestProvider
let at: Running

/** Another site than that of the providers. */
let url: string

beforeAll(async () => {
  names = await startNameServer({}, texts)
  provider = await startProvider()
  const port = await freePort()
  url = `http://localhost:${port}`
  at = await startApp({ port, publicUrl: url, issuer: url }, undefined, {
    readTexts: textsBy([names.server]),
  })
})
afterAll(async () => {
  await at.app.close()
  await provider.stop()
  await names.stop()
})

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')

describe('the page “Single sign-on”', () => {
  test('leads from a domain and its record to a draft, its addresses and its people', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const own = await newTenant()
    const domain = `${unique('d')}.example.com`
    await signIn(page, own.admin.email, 'connections', url)
    await page.getByText('No domains yet').waitFor()
    const plan = page.getByRole('list', { name: 'Set up in this order' })
    await plan.getByText('To do: 1. Verify your domain').waitFor()
    await page.getByRole('group', { name: 'Guides:' }).getByRole('button', { name: 'Okta' }).click()
    await dialog(page).getByText('choose “Create App Integration”').waitFor()
    await dialog(page).getByText('SCIM', { exact: true }).click()
    await dialog(page).getByText('Under “Push Groups” choose').waitFor()
    await inspect(page, 'sso-guide-chosen')
    await page.keyboard.press('Escape')
    await inspect(page, 'sso-empty')
    await page.getByLabel('Add domain').fill('gmail.com')
    await press(page, 'Add domain')
    await page.getByText('Anyone can get an e-mail address or a subdomain').waitFor()
    await page.getByLabel('Add domain').fill(`Ada@${domain.toUpperCase()}`)
    await press(page, 'Add domain')
    const article = page.getByRole('article', { name: domain })
    await article.getByText('Not verified').waitFor()
    await press(page, 'Copy the value of the record')
    const value = await page.evaluate<string>('navigator.clipboard.readText()')
    await press(page, 'Check now')
    await article.getByText('Check that its name is exactly').waitFor()
    texts[`_tenantry-challenge.${domain}`] = [['other']]
    await press(page, 'Check now')
    await article.getByText('other', { exact: true }).waitFor()
    await inspect(page, 'sso-domain')
    texts[`_tenantry-challenge.${domain}`] = [['other'], [value]]
    await press(page, 'Check now')
    await article.getByText('Verified', { exact: true }).waitFor()
    await plan.getByText('Done: 1. Verify your domain').waitFor()
    await page.getByRole('link', { name: 'Create connection' }).click()
    await page.getByRole('heading', { name: 'Create connection', level: 1 }).waitFor()
    await inspect(page, 'sso-new')
    await press(page, 'Copy the redirect URL')
    const shown = await page.evaluate<string>('navigator.clipboard.readText()')
    const fill = async (issuer = provider.issuer): Promise<void> => {
      await page.getByLabel('Issuer').fill(issuer)
      await page.getByLabel('Client ID').fill('tenantry')
      await page.getByRole('textbox', { name: 'Client secret' }).fill(providerSecret)
    }
    await page.getByRole('radio', { name: 'Keycloak' }).check()
    await fill(`${provider.issuer}/other`)
    await press(page, 'Create draft and continue')
    await page.getByText('No OpenID Connect provider answers').waitFor()
    await page.getByLabel('Issuer').fill(provider.issuer)
    await press(page, 'Guide for Keycloak')
    await dialog(page).getByText('choose “Create client”').waitFor()
    await inspect(page, 'sso-guide')
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByText(shown).waitFor()
    await page.getByRole('radio', { name: 'Keycloak' }).check()
    await fill()
    await press(page, 'Create draft and continue')
    await page.getByRole('heading', { name: 'Keycloak', level: 1 }).waitFor()
    await page.getByRole('checkbox', { name: domain }).check()
    await inspect(page, 'sso-step2')
    await press(page, 'Save and continue')
    await page.getByRole('heading', { name: 'Test', level: 2 }).waitFor()
    await inspect(page, 'sso-step3')
    const [made] = ok(await own.admin.get('/connections', { at }))
    expect(made.callback_url).toBe(shown)
    expect(made).toMatchObject({ name: 'Keycloak', status: 'draft', domains: [domain], subject_claim: 'sub' })
    await page.getByRole('tab', { name: 'Group mappings' }).click()
    await inspect(page, 'sso-groups')
    await page.getByRole('tab', { name: 'Directory' }).click()
    await inspect(page, 'sso-directory')
    await page.getByRole('tab', { name: 'Attempts' }).click()
    await inspect(page, 'sso-attempts')
    expect(complaints).toEqual([])
  })
})

test('the page of the built-in tenant says that each organization has its own, and leads there', async () => {
  const { page, complaints } = await visit()
  await signIn(page, (await platformAdmin()).email, 'connections', url)
  await page.getByText('This is the built-in organization').waitFor()
  await inspect(page, 'sso-built-in')
  await page.getByRole('link', { name: 'Open the organizations' }).click()
  await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

const conditions = (page: Page) =>
  page.getByRole('list', { name: 'Required first, so that no one is locked out' })
const makeOnly = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Require single sign-on' })

const scimUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
const scimGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** A domain of the tenant that is proved. */
const newDomain = async ({ id }: Tenant): Promise<string> => {
  const domain = `${unique('d')}.example`
  await insertDomain(id, domain)
  return domain
}

/** A draft of the provider, to which a domain leads. */
const newDraft = async ({ admin }: Tenant, domain: string): Promise<{ id: string; callback_url: string }> =>
  ok(await admin.post('/connections', fieldsOf(provider, domain), { at }))

const seeFrame = (page: Page) => page.getByRole('button', { name: 'Account', exact: true }).waitFor()

/** The text of the step's heading that has the focus. */
const stepWithFocus = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

/** The newest code that was mailed to an address. */
const codeTo = async (email: string): Promise<string> =>
  /^(\d{6})\r?$/m.exec((await mailsTo(email)).at(-1) ?? '')?.[1] ?? ''

test('a stranger with a setup link connects a provider, without an account, and an administrator activates it', async () => {
  const own = await newTenant()
  const role = await own.role('user:read')
  const domain = `${unique('d')}.example.com`
  const email = `${unique('it')}@example.com`
  const { page: office, complaints: heard } = await visit()
  await signIn(office, own.admin.email, 'connections', url)
  await press(office, 'Send setup link')
  await dialog(office).getByLabel('E-mail').fill(email)
  await dialog(office).getByRole('checkbox', { name: 'Directory (SCIM)' }).check()
  await dialog(office).getByLabel('Roles for groups').fill(role.name)
  await office.getByRole('option', { name: role.name }).click()
  await office.keyboard.press('Tab')
  await inspect(office, 'setup-send')
  await dialog(office).getByRole('button', { name: 'Send setup link' }).click()
  await office.getByRole('group', { name: email }).getByText('No one has used it yet').waitFor()
  await inspect(office, 'setup-links')

  const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto((await linkTo(email)).replace(service.url, url))
  await press(page, 'Send code')
  await page.getByLabel('Code from the e-mail').waitFor()
  await page.keyboard.type('000000')
  await press(page, 'Continue')
  await page.getByText('This code is wrong').waitFor()
  await inspect(page, 'setup-enter')
  await page.keyboard.type(await codeTo(email))
  await page.keyboard.press('Enter')
  await page.getByLabel('Add domain').waitFor()
  const redirect = await page.getByText('/callback').textContent()
  await page.reload()
  expect(await page.getByText('/callback').textContent()).toBe(redirect)
  const step = (name: string) => page.getByRole('button', { name })
  expect(await step('4. Test the connection').isDisabled()).toBe(true)
  await page.getByLabel('Add domain').fill(domain)
  await press(page, 'Add domain')
  await press(page, 'Copy the value of the record')
  texts[`_tenantry-challenge.${domain}`] = [[await page.evaluate<string>('navigator.clipboard.readText()')]]
  await press(page, 'Check now')
  await page.getByRole('article', { name: domain }).getByText('Verified', { exact: true }).waitFor()
  await inspect(page, 'setup-domain')
  await press(page, 'Continue')
  await expectSoon(() => stepWithFocus(page)).toContain('2. Connect your provider')
  await page.getByRole('radio', { name: 'Keycloak' }).check()
  await press(page, 'Copy the redirect URL')
  provider.allow(await page.evaluate<string>('navigator.clipboard.readText()'))
  await page.getByLabel('Issuer').fill(provider.issuer)
  await page.getByLabel('Client ID').fill('tenantry')
  await page.getByRole('textbox', { name: 'Client secret' }).fill(providerSecret)
  await inspect(page, 'setup-new')
  await press(page, 'Create draft and continue')
  await expectSoon(() => stepWithFocus(page)).toContain('3. Choose who signs in')
  await press(page, 'Add mapping')
  await page.getByLabel('Group', { exact: true }).fill('staff')
  await page.getByLabel('Role', { exact: true }).selectOption(role.name)
  await page.getByRole('checkbox', { name: domain }).waitFor()
  await inspect(page, 'setup-domains')
  await press(page, 'Save and continue')
  await expectSoon(() => stepWithFocus(page)).toContain('4. Test the connection')
  provider.person = { sub: unique(), email: `ada@${domain}`, name: 'Ada', groups: ['staff'] }
  const opening = page.waitForEvent('popup')
  await press(page, 'Start test')
  const tab = await opening
  await tab.getByText('Test of the connection').waitFor()
  await tab.close()
  await page.getByText('The provider answers as it should').waitFor()
  await page.getByText('Tell whoever sent you the link').waitFor()
  expect(await page.getByRole('button', { name: 'Activate', exact: true }).count()).toBe(0)
  await press(page, 'Continue')
  await press(page, 'Create directory key')
  await page.getByText('It is shown only once').waitFor()
  await inspect(page, 'setup-area')

  const [made] = ok(await own.admin.get('/connections'))
  expect(made).toMatchObject({
    status: 'draft',
    domains: [domain],
    group_mappings: [{ group: 'staff', role_id: role.id }],
  })
  await office.reload()
  await office.getByRole('link', { name: 'Keycloak', exact: true }).click()
  await office.goto(`${url}/console/connections/${made.id}?step=3`)
  await press(office, 'Activate')
  await office.getByRole('tab', { name: 'Provider' }).waitFor()
  await page.getByRole('main').waitFor()
  expect([complaints, heard]).toEqual([[], []])
})

test('a stranger whose time has ended asks for another code, and one whose link has ended asks its sender', async () => {
  const { admin } = await newTenant()
  const email = `${unique('it')}@example.com`
  const { id } = ok(await admin.post('/setup-links', { email, parts: ['domains'] }, { at }))
  const { page, complaints } = await visit()
  await page.goto((await linkTo(email)).replace(service.url, url))
  await press(page, 'Send code')
  await page.getByLabel('Code from the e-mail').waitFor()
  await page.keyboard.type(await codeTo(email))
  await page.keyboard.press('Enter')
  await page.getByText('No domains yet').waitFor()
  ok(await admin.delete(`/setup-links/${id}`, { at }))
  await page.getByLabel('Add domain').fill(`${unique('d')}.example.com`)
  await press(page, 'Add domain')
  await page.getByText('Your session on this page has ended').waitFor()
  await inspect(page, 'setup-over')
  await press(page, 'Send code')
  await page.getByText('This link no longer works').waitFor()
  await page.getByText('Ask the sender').waitFor()
  await inspect(page, 'setup-dead')
  expect(complaints).toEqual([])
})

describe('OpenID Connect', () => {
  test('is tested, activated, and then signs a new person in to the console, by another site', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const domain = await newDomain(own)
    const made = await newDraft(own, domain)
    provider.allow(made.callback_url)
    provider.person = { sub: unique(), email: `ada@${unique('d')}.example`, name: 'Ada' }
    await signIn(page, own.admin.email, `connections/${made.id}?step=3`, url)
    const begin = async (name: string): Promise<void> => {
      const opening = page.waitForEvent('popup')
      await press(page, name)
      const tab = await opening
      await tab.getByText('Test of the connection').waitFor()
      await tab.close()
    }
    await begin('Start test')
    await page.getByText('The test failed').waitFor()
    await page.getByText('isn’t in a verified domain').waitFor()
    expect(await page.getByRole('button', { name: 'Activate', exact: true }).isDisabled()).toBe(true)
    await inspect(page, 'sso-test-failed')
    const email = `ada@${domain}`
    // The provider remembers its person.
    await page.context().clearCookies({ domain: '127.0.0.1' })
    provider.person = { sub: unique(), email, name: 'Ada Lovelace', groups: ['staff'] }
    await begin('Test again')
    await page.getByText('a user would be created').waitFor()
    await inspect(page, 'sso-test-passed')
    await press(page, 'Activate')
    await page.getByRole('tab', { name: 'Provider' }).waitFor()

    const { page: visitor, complaints: heard } = await visit()
    await open(visitor, 'audit', url)
    await visitor.getByLabel('E-mail').fill(email)
    await visitor.keyboard.press('Enter')
    const way = visitor.getByRole('link', { name: 'Continue with' })
    await way.waitFor()
    await inspect(visitor, 'sso-sign-in')
    await visitor.getByRole('button', { name: 'Use a password instead' }).click()
    await visitor.getByRole('textbox', { name: 'Password' }).waitFor()
    await visitor.reload()
    await way.press('Enter')
    await seeFrame(visitor)
    expect(new URL(visitor.url()).pathname).toBe('/console/audit')
    await visitor.goto(`${url}/console/signed-in?code=used&state=unknown`)
    await visitor.getByText('Start again', { exact: true }).waitFor()
    await inspect(visitor, 'sso-dead')

    await page.getByRole('tab', { name: 'Attempts' }).click()
    await page.getByText('Signed in', { exact: true }).waitFor()
    await inspect(page, 'sso-attempts')
    await page
      .getByRole('button', { name: `Open the attempt of ${email}` })
      .first()
      .click()
    await dialog(page).getByText('staff').waitFor()
    await inspect(page, 'sso-attempt')

    const [ada] = ok(await own.admin.get(`/users?search=${email}`)).items
    await open(page, `users/${ada.id}`, url)
    await page.getByText('Linked to an account at Acme IdP.').waitFor()
    await inspect(page, 'sso-linked')
    await press(page, 'Unlink')
    await dialog(page).getByText('Unlink Ada Lovelace from the provider?').waitFor()
    await dialog(page).getByRole('button', { name: 'Unlink', exact: true }).click()
    await page.getByText('User unlinked from the provider.').waitFor()
    await page.getByText('Linked to an account at Acme IdP.').waitFor({ state: 'detached' })
    expect([...complaints, ...heard]).toEqual([])
  })
})

describe('a required connection', () => {
  test('requiring the connection is possible once its conditions are met, and the page links to the last one', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const domain = await newDomain(own)
    const email = `grace@${domain}`
    const { id } = ok(await own.admin.post('/users', { email, username: unique('u'), password }))
    ok(await own.admin.post(`/rbac/users/${id}/roles`, { role_id: systemRoleIds.admin }))
    const tom = `tom@${domain}`
    ok(await own.admin.post('/users', { email: tom, username: unique('u'), password }))
    const breakGlass = await own.member()
    await addTotp(breakGlass)
    const made = await newDraft(own, domain)
    await activate(own.id, made.id)
    provider.allow(made.callback_url)
    provider.person = { sub: unique(), email, name: 'Grace' }
    await signIn(page, email, 'connections', url)
    await conditions(page).getByText('Met: A connection is active').waitFor()
    await conditions(page).getByText('Missing: A break-glass user').waitFor()
    await press(page, 'Add break-glass user')
    await dialog(page).getByLabel('User').fill(breakGlass.username)
    await page.getByRole('option', { name: breakGlass.username }).click()
    await dialog(page).getByRole('button', { name: 'Add break-glass user' }).click()
    await conditions(page).getByText('Met: A break-glass user').waitFor()
    await conditions(page).getByText('Missing: You signed in').waitFor()
    expect(await makeOnly(page).isDisabled()).toBe(true)
    await inspect(page, 'sso-only-almost')
    await page.getByRole('link', { name: 'Sign in with Acme IdP' }).click()
    await page.getByRole('heading', { name: 'Prove that this account is yours' }).waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await conditions(page).getByText('Met: You signed in').waitFor()
    await inspect(page, 'sso-only-ready')
    await makeOnly(page).click()
    await dialog(page)
      .getByText(/^\d+ sessions? of \d+ users? end immediately\.$/)
      .waitFor()
    await inspect(page, 'sso-only-asked')
    await dialog(page).getByRole('button', { name: 'Require single sign-on' }).click()
    await page.getByText('Single sign-on is required', { exact: true }).waitFor()
    await inspect(page, 'sso-only-on')
    expect(await own.admin.get('/users')).toMatchObject({ status: 401 })
    expect(await postLogin(own.admin.email)).toMatchObject({ status: 401 })
    const { page: visitor } = await visit()
    await open(visitor, '', url)
    await visitor.getByLabel('E-mail').fill(tom)
    await visitor.keyboard.press('Enter')
    await visitor.getByRole('button', { name: 'Use a password instead' }).click()
    await visitor.getByRole('textbox', { name: 'Password' }).fill(password)
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.getByText('requires single sign-on').waitFor()
    await visitor.getByRole('link', { name: 'Continue with' }).waitFor()
    expect(await visitor.getByRole('button').allInnerTexts()).toEqual(['Use another e-mail'])
    await inspect(visitor, 'sso-needed')
    await press(page, 'Allow passwords and passkeys again')
    await dialog(page).getByRole('button', { name: 'Allow passwords and passkeys again' }).click()
    await page.getByText('Single sign-on is optional', { exact: true }).waitFor()
    expect(await postLogin(own.admin.email)).toMatchObject({ status: 200 })
    expect(complaints).toEqual([])
  })
})

describe('a directory', () => {
  test('is set up by the page, and its groups become roles, whose effect and loss the page tells', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const domain = await newDomain(own)
    const role = await own.role('user:read')
    const made = await newDraft(own, domain)
    await signIn(page, own.admin.email, `connections/${made.id}?tab=directory`, url)
    await press(page, 'Create service account for the directory')
    await page.getByText('The directory has no working key').waitFor()
    await inspect(page, 'sso-directory-keyless')
    await press(page, 'Create key for the directory')
    await dialog(page).getByLabel('Name').fill('Push')
    await dialog(page).getByRole('button', { name: 'Create key', exact: true }).click()
    const token =
      (await dialog(page)
        .getByText(/^tnt_\S+$/)
        .textContent()) ?? ''
    await dialog(page).last().getByRole('button', { name: 'Close', exact: true }).last().click()
    await dialog(page).last().getByRole('button', { name: 'Close without copying' }).click()
    const user = { schemas: [scimUser], userName: `ada@${domain}`, active: true }
    const ada = (await scim(token, 'POST', '/Users', user)).body as unknown as { id: string }
    const group = { schemas: [scimGroup], displayName: 'Accounting', members: [{ value: ada.id }] }
    expect((await scim(token, 'POST', '/Groups', group)).status).toBe(201)
    await page.reload()
    await page.getByRole('row', { name: 'Accounting 1' }).waitFor()
    await page.getByRole('row', { name: 'Key Push' }).waitFor()
    await page.getByRole('row', { name: 'Last request' }).waitFor()
    await inspect(page, 'sso-directory-set')
    await page.getByRole('tab', { name: 'Group mappings' }).click()
    await press(page, 'Add mapping')
    await page.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: 'Accounting (1)' }).click()
    await page.getByLabel('Role', { exact: true }).selectOption(role.name)
    await page.getByText(`Accounting gives the role ${role.name}`).waitFor()
    await page.getByText('1 user now').waitFor()
    await inspect(page, 'sso-mapping')
    await press(page, 'Save')
    await page.getByText('Connection saved.').waitFor()
    const mappings = async () => ok(await own.admin.get(`/connections/${made.id}`)).group_mappings
    expect(await mappings()).toMatchObject([{ role_id: role.id }])
    await press(page, 'Remove mapping 1')
    await page.getByText('Users lose roles').waitFor()
    await inspect(page, 'sso-mapping-lost')
    await press(page, 'Save')
    await expectSoon(mappings).toEqual([])
    await open(page, 'connections', url)
    await page.getByText('No break-glass users yet.').waitFor()
    await conditions(page).getByText('Missing: A connection is active').waitFor()
    await conditions(page).getByText('Missing: A break-glass user').waitFor()
    await conditions(page).getByText('Missing: You signed in').waitFor()
    expect(await makeOnly(page).isDisabled()).toBe(true)
    await inspect(page, 'sso-only')
    await conditions(page).getByRole('link', { name: 'Test and activate Acme IdP' }).click()
    await page.getByRole('heading', { name: 'Acme IdP', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('SAML', () => {
  test('leads from an application to the provider and back, after a proof of an account that is there', async () => {
    const own = await newTenant()
    const domain = await newDomain(own)
    const site = await startSamlSite()
    onTestFinished(site.stop)
    const made = ok(
      await own.admin.post(
        '/connections',
        { type: 'saml', name: 'Acme SAML', metadata: site.metadata, domains: [domain] },
        { at },
      ),
    )
    await activate(own.id, made.id)
    const shop = await openShop()
    /** Somebody with a password, who types the address at the application. */
    const arrive = async (name: string) => {
      const email = `${name}@${domain}`
      ok(await own.admin.post('/users', { email, username: unique('u'), password }))
      site.person = { id: unique('s'), email, name }
      const { page, complaints } = await visit()
      await shop.send(page, {}, url)
      await page.getByLabel('E-mail').fill(email)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('link', { name: 'Continue with' }).waitFor()
      return { page, email, complaints }
    }
    const ada = await arrive('ada')
    await inspect(ada.page, 'hosted-provider')
    await ada.page.getByRole('link', { name: 'Continue with' }).click()
    await ada.page.getByRole('heading', { name: 'Prove that this account is yours' }).waitFor()
    await inspect(ada.page, 'hosted-proof')
    await ada.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await ada.page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await ada.page.getByRole('heading', { name: 'Welcome to the shop' }).waitFor()
    expect(shop.answer()).toHaveProperty('code')
    expect(ada.complaints).toEqual([])

    const grace = await arrive('grace')
    await grace.page.getByRole('link', { name: 'Continue with' }).click()
    await grace.page.getByRole('button', { name: 'E-mail me a link' }).click()
    await grace.page.getByText('A link was sent to').waitFor()
    await inspect(grace.page, 'hosted-proof-sent')
    const link = await proofLinkTo(grace.email)
    const { page: stranger } = await visit()
    await stranger.goto(link)
    await stranger.getByRole('button', { name: 'Confirm and sign in' }).click()
    await stranger.getByText('started in another browser').waitFor()
    await inspect(stranger, 'hosted-proof-elsewhere')
    const tab = await grace.page.context().newPage()
    await tab.goto(link)
    await tab.getByRole('button', { name: 'Confirm and sign in' }).waitFor()
    expect(tab.url()).not.toContain('proof=')
    await tab.getByRole('button', { name: 'Confirm and sign in' }).click()
    await tab.getByRole('heading', { name: 'Welcome to the shop' }).waitFor()
    expect(grace.complaints).toEqual([])
  })
})

/** The newest link of a proof to an address. */
const proofLinkTo = async (email: string): Promise<string> => {
  const read = async () =>
    (await mailsTo(email)).flatMap((mail) => /^X-Tenantry-Link:\s+(\S*proof=\S+)/m.exec(mail)?.[1] ?? [])
  await expectSoon(async () => (await read()).length).toBeGreaterThan(0)
  const { pathname, hash } = new URL((await read()).at(-1) ?? '')
  return `${url}${pathname}${hash}`
}
