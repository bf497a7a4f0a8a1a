/** Applications, resources and consents in the console, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { consent, newApplication } from '../../server/test/applications.ts'
import { newTenant, ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, signIn, signInToAccount, visit } from './visit.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) =>
  dialog(page).last().getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

test('an application is created with a secret that is shown once, changed, disabled and deleted', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  const code = `${unique('shop')}:use`
  ok(await root.post('/rbac/permissions', { code, name: 'Use the shop' }))
  const name = unique('Shop ')
  await signIn(page, root.email, 'applications')
  await press(page, 'Create application')
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('Redirect URLs').fill('http://shop.example.com/callback')
  await answer(page, 'Create application')
  await dialog(page).getByText('Only 127.0.0.1, [::1] and localhost may use http.').waitFor()
  await inspect(page, 'application-create')
  await dialog(page).getByLabel('Redirect URLs').fill('https://shop.example.com/callback')
  await answer(page, 'Create application')
  await dialog(page).getByText('This secret is shown only once').waitFor()
  await dialog(page)
    .getByText('OIDC_CLIENT_SECRET')
    .or(dialog(page).getByText('process.env'))
    .first()
    .waitFor()
  await inspect(page, 'application-created')
  await dialog(page).getByRole('link', { name: 'Open the application' }).click()
  await answer(page, 'Close without copying')
  await heading(page, name)
  await page.getByText('A first-party application acts on behalf of every user without asking.').waitFor()
  await inspect(page, 'application')
  const buffer = await page.getByRole('heading').first().screenshot()
  await press(page, 'Edit')
  await dialog(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await dialog(page).getByRole('button', { name: 'Remove image' }).waitFor()
  await dialog(page).getByLabel('Session length in days').fill('30')
  await dialog(page).getByLabel('Required permission').fill(code)
  await page.getByRole('option', { name: `Use the shop (${code})` }).click()
  await inspect(page, 'application-edit')
  await answer(page, 'Save')
  await page.getByText('Changes saved.').waitFor()
  await inspect(page, 'application-logo')
  await chooseAction(page, 'Disable')
  await dialog(page).getByText('can’t sign in to it until it is enabled again').waitFor()
  await answer(page, 'Disable')
  await page.getByText('Application disabled.').waitFor()
  const { items } = ok(await root.get(`/applications?search=${encodeURIComponent(name)}`))
  const origins = ['https://shop.example.com']
  expect(items).toMatchObject([
    {
      name,
      logo: expect.stringMatching(/^data:image\/png;base64,/),
      status: 0,
      session_seconds: 30 * 24 * 3600,
      required_permission: code,
      is_third_party: false,
      post_logout_redirect_uris: origins,
    },
  ])
  await chooseAction(page, 'Delete')
  await dialog(page).getByRole('textbox').fill(name)
  await answer(page, 'Delete')
  await page.getByText(`${name} deleted.`).waitFor()
  await heading(page, 'Applications')
  expect(complaints).toEqual([])
})

test('a resource takes permissions of the product, and is deleted after its name is typed', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  const code = `${unique('invoice')}:read`
  ok(await root.post('/rbac/permissions', { code, name: 'Read invoices' }))
  const name = unique('Invoices ')
  await signIn(page, root.email, 'resources')
  await press(page, 'Create resource')
  await dialog(page).getByLabel('Name').fill(name)
  await dialog(page).getByLabel('Identifier').fill('mcp.example.com')
  await answer(page, 'Create resource')
  await dialog(page).getByText('Enter a full URL without #').waitFor()
  await dialog(page).getByText('Choose at least one permission.').waitFor()
  await dialog(page)
    .getByLabel('Identifier')
    .fill(`https://${unique('mcp')}.example.com/mcp`)
  await dialog(page).getByRole('combobox', { name: 'Permissions' }).fill(code)
  await page.getByRole('option', { name: code }).click()
  await page.keyboard.press('Tab')
  await inspect(page, 'resource-create')
  await answer(page, 'Create resource')
  await page.getByText('Resource created.').waitFor()
  await inspect(page, 'resources')
  await page
    .getByRole('row', { name })
    .getByRole('button', { name: /Delete/ })
    .click()
  await dialog(page).getByRole('textbox').fill(name)
  await answer(page, 'Delete')
  await page.getByText(`${name} deleted.`).waitFor()
  expect(complaints).toEqual([])
})

test('a consent is seen by administrators and by its user, and revoked after a question', async () => {
  const { page, complaints } = await visit()
  const tenant = await newTenant()
  const member = await tenant.member()
  const application = await newApplication({ is_third_party: true })
  await consent(member, application)
  await signInToAccount(page, member.email, 'devices')
  await page.getByText('Applications with access to your account').waitFor()
  await page.getByText(application.name).first().waitFor()
  const admin = await visit()
  await signIn(admin.page, tenant.admin.email, 'grants')
  await admin.page.getByRole('row', { name: application.name }).waitFor()
  await inspect(admin.page, 'grants')
  await admin.page.getByRole('button', { name: `Revoke consent for ${application.name}` }).click()
  await answer(admin.page, 'Revoke')
  await admin.page.getByText(`Consent for ${application.name} revoked.`).waitFor()
  await page.reload()
  await page.getByText('You haven’t allowed any applications.').waitFor()
  await expectSoon(() => page.getByText(application.name).count()).toBe(0)
  expect([...complaints, ...admin.complaints]).toEqual([])
})
